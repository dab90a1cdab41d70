//! Values that stand below what tells that they are secrets: a name, a heading, a command.

use super::block::{content, framed, take, Line};
use super::name::{secrecy, Secrecy};
use super::value::{is_innocent, random, suspicious};
use super::Found;

/// Commands that print a secret and nothing else.
const PRINT_SECRETS: &[&str] = &[
    "auth token",
    "print-access-token",
    "print-identity-token",
    "print-refresh-token",
    "wg genkey",
    "wg genpsk",
    "openssl rand",
    "pwgen",
    "op read",
    "pass show",
    "vault read -field",
    "vault kv get -field",
    "get-login-password",
    "get-access-token",
    "find-generic-password",
    "auth:token",
    "secret get",
    "secrets get",
    "versions access",
    "apg ",
    "makepasswd",
    "get-session-token",
    "mkpasswd",
    "openssl passwd",
    "create token",
    "generate-db-auth-token",
    "wg pubkey-of",
    "ssm get-parameter",
    "get-secret-value",
    "bw get password",
    "gopass show",
    "lpass show",
    "cat .vault_pass",
    "initialadminpassword",
    "base64 -d",
    "base64 --decode",
    "secret-tool lookup",
    "kubectl create token",
    "htpasswd -n",
    "credential fill",
];

/// Headings over lists of codes.
const CODES: &[&str] = &[
    "recovery code",
    "backup code",
    "scratch code",
    "emergency code",
    "recovery key",
    "seed phrase",
    "recovery phrase",
    "secret recovery",
];

/// Takes all of them.
pub fn find(lines: &[Line], found: &mut [Found]) {
    headed(lines, found);
    documents(lines, found);
    listed_values(lines, found);
    printed(lines, found);
}

fn indent(line: &str) -> usize {
    line.len()
        - line
            .trim_start_matches(|c: char| c.is_whitespace() || c == '│' || c == '┃')
            .len()
}

/// Takes what stands behind the separator of `text`, if it has one.
fn take_value(line: &Line, found: &mut Found) {
    let range = content(&line.text);
    let text = line.text.get(range.clone()).unwrap_or_default();
    let Some(colon) = text.find([':', '=']) else { return };
    let value = text.get(colon + 1..).unwrap_or_default();
    let bare = value.trim_matches(|c: char| c.is_whitespace() || c == '"');
    if !is_innocent("", bare, false) {
        let start = range.start + colon + 1 + (value.len() - value.trim_start_matches([' ', '"', '\'']).len());
        found.add(start.min(range.end)..range.end);
    }
}

/// What stands deeper below a name of a secret without a value, below `stringData:`, below a heading over codes.
fn headed(lines: &[Line], found: &mut [Found]) {
    let secret_object = lines.iter().any(|line| {
        matches!(
            line.text.trim().trim_end_matches(','),
            "kind: Secret" | "\"kind\": \"Secret\""
        )
    });
    for (at, line) in lines.iter().enumerate() {
        let text = line.text.get(content(&line.text).start..).unwrap_or_default();
        let text = text.trim_end_matches(|c: char| c.is_whitespace() || "│┃".contains(c));
        let head = text
            .trim_end_matches(['|', '>', '-', '+', '{', '[', ' ', '('])
            .trim_end();
        let Some(name) = head.strip_suffix([':', '=']) else {
            continue;
        };
        let name = name.trim().trim_matches(['"', '\'']);
        let values = name == "stringData" || name == "data" && secret_object;
        let lower = name.to_ascii_lowercase();
        let codes = CODES.iter().any(|codes| lower.contains(codes));
        let words = name.split(' ').count();
        let short = words == 1 || words <= 3 && name.starts_with(|c: char| c.is_ascii_uppercase());
        let short = short && !name.contains(['(', '$']);
        let several = name
            .strip_suffix('s')
            .is_some_and(|one| secrecy(one) == Secrecy::Strong);
        let several = several && text.ends_with('[');
        let holder = matches!(lower.as_str(), "credentials" | "credential" | "secrets" | "secret");
        let secret = codes || several || short && secrecy(name) == Secrecy::Strong;
        if !(values || secret) {
            continue;
        }
        let scalar = head.ends_with(':') && text.ends_with(['|', '>', '-', '+']);
        let block = codes || text.len() > head.len() && (scalar || text.ends_with(['[', '(']));
        let deeper = lines
            .iter()
            .enumerate()
            .skip(at + 1)
            .take_while(|(_, below)| indent(&below.text) > indent(&line.text) && !below.text.trim().is_empty());
        for (below, under) in deeper.take(if block || values || holder { usize::MAX } else { 1 }) {
            if values
                || holder
                    && under
                        .content()
                        .split_once(": ")
                        .is_some_and(|(_, value)| suspicious(value))
            {
                if let Some(found) = found.get_mut(below) {
                    take_value(under, found);
                }
            } else if codes || scalar || is_value(name, under.text.get(framed(&under.text)).unwrap_or_default()) {
                take(lines, found, below);
            }
        }
    }
}

/// Whether a line is nothing but a value: a string in quotes or one word.
fn is_value(name: &str, line: &str) -> bool {
    let line = line.trim().trim_end_matches([',', ';']);
    let bare = line.trim_matches(|c| c == '"' || c == '\'');
    let quoted =
        bare.len() < line.len() && line.starts_with(['"', '\'']) && !line.contains("\": ") && !line.contains("': ");
    let lone = bare.len() == line.len() && !line.contains(' ') && !line.ends_with([':', '{', '(', '=']);
    (quoted || lone) && !is_innocent(name, bare, quoted)
}

/// `name: DB_PASSWORD` and `value: x` below it.
fn listed_values(lines: &[Line], found: &mut [Found]) {
    let split = |line: &Line| {
        let text = line.content().trim_start_matches("- ");
        let (name, value) = text.split_once([':', '='])?;
        let bare = |text: &str| {
            text.trim_matches(|c: char| c.is_whitespace() || "\"',".contains(c))
                .to_owned()
        };
        Some((bare(name).to_ascii_lowercase(), bare(value)))
    };
    for (at, pair) in lines.windows(2).enumerate() {
        let [above, line] = pair else { continue };
        let (Some((key, name)), Some((word, _))) = (split(above), split(line)) else {
            continue;
        };
        let named = matches!(key.as_str(), "name" | "key" | "parameterkey") && secrecy(&name) == Secrecy::Strong;
        if let (true, "value" | "parametervalue", Some(found)) = (named, word.as_str(), found.get_mut(at + 1)) {
            take_value(line, found);
        }
    }
}

/// `password = <<EOT` and the like: up to the word that ends it.
fn documents(lines: &[Line], found: &mut [Found]) {
    for (at, line) in lines.iter().enumerate() {
        let Some((head, tag)) = line.content().split_once("<<") else {
            continue;
        };
        let tag = tag.trim_start_matches(['-', '~']).trim().trim_matches(['"', '\'']);
        let Some(name) = head.trim_end().strip_suffix(['=', ':']) else {
            continue;
        };
        let name = name.trim_end().rsplit(' ').next().unwrap_or_default();
        let is_tag = !tag.is_empty() && tag.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !is_tag || secrecy(name) != Secrecy::Strong {
            continue;
        }
        let inside = lines
            .iter()
            .skip(at + 1)
            .take_while(|line| line.content() != tag)
            .count();
        (at + 1..=at + inside).for_each(|at| take(lines, found, at));
    }
}

/// What a command prints that prints a secret: one word on the next line.
fn printed(lines: &[Line], found: &mut [Found]) {
    for (at, pair) in lines.windows(2).enumerate() {
        let [command, line] = pair else { continue };
        let text = line.content();
        let word = !text.contains(' ') && text.len() >= 6 && !text.starts_with(['/', '$', '-']);
        if !word || !(suspicious(text) || random(text)) {
            continue;
        }
        let lower = command.text.to_ascii_lowercase();
        if PRINT_SECRETS.iter().any(|prints| lower.contains(prints)) || shows_secret(command.content()) {
            take(lines, found, at + 1);
        }
    }
}

/// Whether a command shows a variable or a file that is named as a secret: `echo $TOKEN`, `cat /run/secrets/token`.
fn shows_secret(command: &str) -> bool {
    let mut words = command.split_ascii_whitespace().rev();
    let (Some(shown), Some(shows)) = (words.next(), words.next()) else {
        return false;
    };
    let shown = shown.trim_matches(|c: char| "\"'{}$".contains(c));
    let file = shown.rsplit('/').next().unwrap_or_default();
    let stem = file.trim_end_matches(".txt").trim_end_matches(".key");
    match shows {
        "echo" | "printenv" | "print" | "printf" => secrecy(shown) == Secrecy::Strong,
        "cat" | "bat" | "head" | "less" => {
            secrecy(stem) == Secrecy::Strong && !stem.contains('.') || shown.contains("/secrets/")
        }
        _ => false,
    }
}
