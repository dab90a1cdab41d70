//! Takes secrets out of a line before it is shown: tokens, passwords, keys in commands, addresses and output.

use once_cell::sync::Lazy;
use regex::Regex;

/// What stands where a secret stood.
const MARK: &str = "***";

/// Words that announce a secret in what follows; most lines hold none and are returned as they are.
const HINTS: &[&str] = &[
    "token",
    "pass",
    "pwd",
    "secret",
    "key",
    "auth",
    "bearer",
    "cred",
    "://",
    "sk-",
    "ghp_",
    "gho_",
    "github_pat",
    "xox",
    "akia",
    "eyj",
    "-----begin",
    "glpat-",
    "npm_",
    "pat_",
    "session",
    "cookie",
];

static RULES: Lazy<Vec<(Regex, &'static str)>> = Lazy::new(|| {
    [
        // NAME=value, and "name": "value" or `name: value` where the name ends in the word (`Tokens: 2.3k` is a count).
        (
            r#"(?i)([A-Za-z0-9_.-]*(?:token|passw(?:or)?d|passphrase|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|credential|auth[_-]?key|session[_-]?id)[A-Za-z0-9_.-]*=)("[^"]*"?|'[^']*'?|[^\s&;,]+)"#,
            "${1}***",
        ),
        (
            r#"(?i)((?:token|passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key)["']?: *)("[^"]+"?|'[^']+'?|[^\s&;,'"]{4,})"#,
            "${1}***",
        ),
        // --password value, --token value.
        (r#"(?i)(--?(?:[a-z-]*(?:token|password|passwd|secret|api-?key|access-key)))\s+("[^"]*"?|'[^']*'?|[^\s-]\S*)"#, "${1} ***"),
        (r"(?i)\b((?:authorization|proxy-authorization|x-[a-z-]*(?:key|token)|cookie)\s*:\s*)([^'\x22]+)", "${1}***"),
        (r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}", "${1} ***"),
        (r"(?i)([a-z][a-z0-9+.-]*://[^\s/:@]*:)[^\s@]+@", "${1}***@"),
        (r"(?i)([a-z][a-z0-9+.-]*://)[A-Za-z0-9_-]{20,}@", "${1}***@"),
        // Shapes that are keys whatever stands before them.
        (
            r"\b(?:sk-[A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|glpat-[A-Za-z0-9_-]{12,}|xox[abprs]-[A-Za-z0-9-]{8,}|AKIA[A-Z0-9]{12,}|npm_[A-Za-z0-9]{20,}|eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9._-]+)",
            MARK,
        ),
        // mysql -pSECRET, curl -u user:secret, sshpass -p secret.
        (r"((?:mysql\w*|mariadb|mongo\w*|redis-cli)\b.*?\s-(?:p|a\s))\S+", "${1}***"),
        (r"(curl\b.*?\s(?:-u|--user)\s*\S+?:)\S+", "${1}***"),
        (r"(sshpass\s+-p\s*)\S+", "${1}***"),
    ]
    .into_iter()
    .filter_map(|(pattern, with)| Some((Regex::new(pattern).ok()?, with)))
    .collect()
});

/// `line` without secrets.
pub fn redact(line: &str) -> String {
    let lower = line.to_ascii_lowercase();
    let hinted = HINTS.iter().any(|hint| lower.contains(hint));
    let valued = [" -p", " -u", " -a "].iter().any(|option| line.contains(option))
        && ["mysql", "mariadb", "mongo", "redis-cli", "curl", "sshpass"]
            .iter()
            .any(|tool| line.contains(tool));
    if !hinted && !valued {
        return line.to_owned();
    }
    let mut out = line.to_owned();
    for (rule, with) in RULES.iter() {
        if let std::borrow::Cow::Owned(changed) = rule.replace_all(&out, *with) {
            out = changed;
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
