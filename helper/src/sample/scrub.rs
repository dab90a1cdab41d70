//! Takes out of a recorded look what says whose it is: homes, user and host names, secrets.

use crate::summary::redact::redact;
use serde_json::Value;

/// What stands in their place.
const USER: &str = "user";
const HOST: &str = "host";

/// Names that are everybody's say nothing, and short ones are parts of ordinary text.
const COMMON: &[&str] = &["root", "user", "host", "home", "localhost", "admin"];

/// What is to be taken out.
#[derive(Debug, Default)]
pub struct Scrub {
    /// Home folders, longest first.
    homes: Vec<String>,
    users: Vec<String>,
    hosts: Vec<String>,
}

impl Scrub {
    /// For whoever runs this, on this machine.
    pub fn here() -> Scrub {
        let variable = |name: &str| std::env::var(name).ok();
        let node = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let users = ["USER", "LOGNAME", "SUDO_USER"]
            .iter()
            .filter_map(|name| variable(name));
        Scrub::of(variable("HOME"), users.collect(), node)
    }

    fn of(home: Option<String>, mut users: Vec<String>, node: String) -> Scrub {
        let home = home
            .map(|home| home.trim_end_matches('/').to_owned())
            .filter(|home| home.len() > 1);
        users.extend(
            home.iter()
                .filter_map(|home| home.rsplit('/').next())
                .map(str::to_owned),
        );
        let short = node.split('.').next().unwrap_or_default().to_owned();
        let telling = |name: &String| name.chars().count() > 2 && !COMMON.contains(&name.as_str());
        Scrub {
            homes: home.into_iter().collect(),
            users: users.into_iter().filter(telling).collect(),
            hosts: [node, short].into_iter().filter(telling).collect(),
        }
    }

    /// `text`, one line of it or a few words, without all that.
    pub fn text(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for home in &self.homes {
            out = replace_word(&out, home, &format!("/home/{USER}"));
        }
        for folder in ["/home/", "/Users/"] {
            out = rename_below(&out, folder);
        }
        for (names, with) in [(&self.hosts, HOST), (&self.users, USER)] {
            for name in names {
                out = replace_word(&out, name, with);
            }
        }
        redact(&out)
    }

    /// Every text in `value`, keys excepted.
    pub fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(map) => map.values_mut().for_each(|item| self.value(item)),
            _ => {}
        }
    }
}

/// Replaces `word` where it is not a part of a longer one.
fn replace_word(text: &str, word: &str, with: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    let inside = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    while let Some((before, after)) = rest.split_once(word) {
        out.push_str(before);
        let part = inside(after.chars().next()) || inside(out.chars().last()) && inside(word.chars().next());
        out.push_str(if part { word } else { with });
        rest = after;
    }
    out + rest
}

/// The name of every folder right below `folder` becomes a user's that is nobody.
fn rename_below(text: &str, folder: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, after)) = rest.split_once(folder) {
        out.push_str(before);
        let end = after
            .find(|c: char| c == '/' || c.is_whitespace() || "\"'`:;,)]}>│┃".contains(c))
            .unwrap_or(after.len());
        out.push_str("/home/");
        out.push_str(if end > 0 { USER } else { "" });
        rest = after.get(end..).unwrap_or_default();
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::Scrub;

    fn scrub() -> Scrub {
        Scrub::of(
            Some("/Users/ana".into()),
            vec!["ana".into(), "root".into()],
            "workbox.example.org".into(),
        )
    }

    #[test]
    fn names_homes_and_secrets_go() {
        for (text, clean) in [
            (
                "ana@workbox:~/src$ ls /Users/ana/src",
                "user@host:~/src$ ls /home/user/src",
            ),
            ("ssh bob@workbox.example.org", "ssh bob@host"),
            ("cat '/home/bob/notes' /home/bob", "cat '/home/user/notes' /home/user"),
            ("export API_TOKEN=hunter2hunter2", "export API_TOKEN=***"),
            ("root@workbox:~# ", "root@host:~# "),
        ] {
            assert_eq!(scrub().text(text), clean);
        }
    }

    #[test]
    fn ordinary_words_stay() {
        for text in [
            "banana analysis ana_x",
            "ls /home",
            "workboxes",
            "漢字 /usr/bin/env",
            "",
        ] {
            assert_eq!(scrub().text(text), text);
        }
    }
}
