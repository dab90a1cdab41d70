//! Takes secrets out of a line before it is shown: tokens, passwords, keys in commands, addresses and output.

use aho_corasick::AhoCorasick;
use once_cell::sync::Lazy;
use regex::bytes::{Regex, RegexBuilder};
use std::borrow::Cow;
use std::sync::OnceLock;

/// One kind of secret: compiled when a line first holds one of the words without which it cannot be there.
struct Secret {
    words: &'static [&'static str],
    pattern: &'static str,
    with: &'static str,
    regex: OnceLock<Option<Regex>>,
}

const fn secret(words: &'static [&'static str], pattern: &'static str, with: &'static str) -> Secret {
    Secret {
        words,
        pattern,
        with,
        regex: OnceLock::new(),
    }
}

/// What is taken out, in this order.
static SECRETS: &[&Secret] = &[
    &ASSIGNED,
    &NAMED,
    &OPTION,
    &HEADER,
    &BEARER,
    &IN_ADDRESS,
    &KEY,
    &DATABASE,
    &CURL,
    &SSHPASS,
];

static ASSIGNED: Secret = secret(
    &[
        "token",
        "passw",
        "passphrase",
        "pwd",
        "secret",
        "key",
        "credential",
        "session",
    ],
    r#"([a-z0-9_.-]*(?:token|passw(?:or)?d|passphrase|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|credential|auth[_-]?key|session[_-]?id)[a-z0-9_.-]*=)("[^"]*"?|'[^']*'?|[^ &;,]+)"#,
    "${1}***",
);
// The name ends in the word: `Tokens: 2.3k` is a count.
static NAMED: Secret = secret(
    &["token", "passw", "passphrase", "secret", "key"],
    r#"((?:token|passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key)["']?: *)("[^"]+"?|'[^']+'?|[^ &;,'"]{4,})"#,
    "${1}***",
);
static OPTION: Secret = secret(
    &[
        "-token",
        "-password",
        "-passwd",
        "-secret",
        "-apikey",
        "-api-key",
        "-access-key",
    ],
    r#"(--?(?:[a-z-]*(?:token|password|passwd|secret|api-?key|access-key))) +("[^"]*"?|'[^']*'?|[^ -][^ ]*)"#,
    "${1} ***",
);
static HEADER: Secret = secret(
    &["authorization", "cookie", "x-"],
    r"\b((?:authorization|proxy-authorization|x-[a-z-]*(?:key|token)|cookie) *: *)([^'\x22]+)",
    "${1}***",
);
static BEARER: Secret = secret(
    &["bearer", "basic"],
    r"\b(bearer|basic) +[a-z0-9._~+/=-]{8,}",
    "${1} ***",
);
static IN_ADDRESS: Secret = secret(
    &["://"],
    r"([a-z][a-z0-9+.-]*://)(?:[^ /:@]*:[^ @]+|[a-z0-9_-]{20,})@",
    "${1}***@",
);
// Shapes that are keys whatever stands before them.
static KEY: Secret = secret(
    &[
        "sk-",
        "ghp_",
        "gho_",
        "ghu_",
        "ghs_",
        "ghr_",
        "github_pat",
        "glpat-",
        "xox",
        "akia",
        "npm_",
        "eyj",
    ],
    r"\b(?:sk-[a-z0-9_-]{8,}|gh[pousr]_[a-z0-9]{16,}|github_pat_[a-z0-9_]{16,}|glpat-[a-z0-9_-]{12,}|xox[abprs]-[a-z0-9-]{8,}|akia[a-z0-9]{12,}|npm_[a-z0-9]{20,}|eyj[a-z0-9_-]{10,}\.[a-z0-9._-]+)",
    "***",
);
static DATABASE: Secret = secret(
    &["mysql", "mariadb", "mongo", "redis-cli"],
    // `-P` is the port.
    r"((?:mysql[a-z]*|mariadb|mongo[a-z]*|redis-cli)\b.*? (?-i:-(?:p|a )))[^ ]+",
    "${1}***",
);
static CURL: Secret = secret(&["curl"], r"(curl\b.*? (?:-u|--user) *[^ :]+:)[^ ]+", "${1}***");
static SSHPASS: Secret = secret(&["sshpass"], r"(sshpass +-p *)[^ ]+", "${1}***");

impl Secret {
    fn may_be_in(&self, lower: &str) -> bool {
        self.words.iter().any(|word| lower.contains(word))
    }

    fn regex(&self) -> Option<&Regex> {
        let compile = || {
            RegexBuilder::new(self.pattern)
                .case_insensitive(true)
                .unicode(false)
                .build()
                .ok()
        };
        self.regex.get_or_init(compile).as_ref()
    }
}

/// Every word of every kind: most lines hold none, and one pass tells.
static ANY_WORD: Lazy<Option<AhoCorasick>> = Lazy::new(|| {
    let words = SECRETS.iter().flat_map(|secret| secret.words);
    AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()
});

/// `line` without secrets.
pub fn redact(line: &str) -> String {
    if ANY_WORD.as_ref().is_some_and(|words| !words.is_match(line)) {
        return line.to_owned();
    }
    let lower = line.to_ascii_lowercase();
    let mut out = line.to_owned();
    for secret in SECRETS.iter().filter(|secret| secret.may_be_in(&lower)) {
        let changed = secret
            .regex()
            .map(|regex| regex.replace_all(out.as_bytes(), secret.with.as_bytes()));
        if let Some(Cow::Owned(changed)) = changed {
            out = String::from_utf8_lossy(&changed).into_owned();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::redact;

    #[test]
    fn secrets_never_survive() {
        for line in [
            "export API_TOKEN=hunter2hunter2",
            "PGPASSWORD=hunter2 psql -h db",
            "curl -H 'Authorization: Bearer hunter2hunter2' https://api.example.com",
            "curl -u dev:hunter2 https://api.example.com",
            "git clone https://dev:hunter2@example.com/x.git",
            "mysql -u root -phunter2 shop",
            "tool --password hunter2",
            "tool --api-key=hunter2",
            "sshpass -p hunter2 ssh box",
            "curl -H 'X-Api-Key: hunter2' x",
            r#"{"password": "hunter2"}"#,
            "redis-cli -a hunter2 ping",
            "deploy --token 'hunter2'",
        ] {
            let clean = redact(line);
            assert!(!clean.contains("hunter2"), "{line} -> {clean}");
            assert!(clean.contains("***"), "{clean}");
        }
        assert_eq!(redact("use ghp_0123456789abcdef0123 now"), "use *** now");
        assert_eq!(redact("ask sk-ant-0123456789 now"), "ask *** now");
    }

    #[test]
    fn ordinary_lines_stay_as_they_are() {
        for line in [
            "git push origin main",
            "tokenize input.txt",
            "ssh -p 2222 dev@box",
            "Enter passphrase for key '/home/dev/.ssh/id_ed25519':",
            "password for dev",
            "http://127.0.0.1:8000/items?page=2",
            "dev@127.0.0.1's password:",
        ] {
            assert_eq!(redact(line), line);
        }
    }
}
