//! Which server a workspace command means, where more than the usual may say so.

use crate::cli::ServerArgs;
use crate::workspace::env::Env;
use crate::workspace::refusal::{Code, Refusal};
use std::ffi::OsStr;
use std::path::PathBuf;

/// The server that is meant: `-S` or `-L`, else `LIBTMUX_SOCKET_PATH`, else `LIBTMUX_SOCKET`, else tmux's own choice.
///
/// # Errors
/// When it is left to `TMUX`, which does not say what tmux puts there.
pub fn choose(server: &ServerArgs, env: &Env) -> Result<ServerArgs, Refusal> {
    if server.is_named() {
        return Ok(server.clone());
    }
    let set = |name: &str| env.get(name).filter(|value| !value.is_empty());
    let chosen = ServerArgs {
        socket_path: set("LIBTMUX_SOCKET_PATH").map(PathBuf::from),
        socket_name: set("LIBTMUX_SOCKET").and_then(OsStr::to_str).map(str::to_owned),
    };
    if chosen.socket_path.is_some() {
        return Ok(ServerArgs {
            socket_name: None,
            ..chosen
        });
    }
    let malformed = set("TMUX").filter(|value| !is_of_tmux(value));
    match malformed {
        Some(value) if chosen.socket_name.is_none() => {
            let line = format!("TMUX is {value:?}, which is not what tmux puts there");
            Err(Refusal::new(Code::Usage, line).with_hint("unset TMUX, or name the server: -L NAME or -S PATH"))
        }
        _ => Ok(chosen),
    }
}

/// Whether it looks like `PATH,PID,SESSION`.
fn is_of_tmux(value: &OsStr) -> bool {
    let value = value.to_string_lossy();
    let mut parts = value.rsplitn(3, ',');
    let numbers = [parts.next(), parts.next()];
    let all = numbers
        .iter()
        .all(|part| part.is_some_and(|part| part.parse::<u64>().is_ok()));
    all && parts.next().is_some_and(|path| path.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(set: &[(&str, &str)]) -> Result<(Option<PathBuf>, Option<String>), Code> {
        let env = Env::new(set.iter().copied(), "/");
        let chosen = choose(&ServerArgs::default(), &env).map_err(|refusal| refusal.code)?;
        Ok((chosen.socket_path, chosen.socket_name))
    }

    #[test]
    fn the_path_goes_before_the_name_and_both_before_tmux() {
        let all = [("LIBTMUX_SOCKET_PATH", "/s"), ("LIBTMUX_SOCKET", "n"), ("TMUX", "odd")];
        assert_eq!(chosen(&all), Ok((Some("/s".into()), None)));
        assert_eq!(chosen(&all[1..]), Ok((None, Some("n".to_owned()))));
        assert_eq!(chosen(&all[2..]), Err(Code::Usage));
        for good in ["/tmp/a,b/x,12,0", ""] {
            assert_eq!(chosen(&[("TMUX", good)]), Ok((None, None)));
        }
        for odd in ["/tmp/x", "/tmp/x,a,0", "x,1,2"] {
            assert_eq!(chosen(&[("TMUX", odd)]), Err(Code::Usage), "{odd}");
        }
    }
}
