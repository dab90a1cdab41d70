//! Tells by a name whether what it names is a secret: `DB_PASSWORD`, `apiKey` and `Secret Access Key` do, `secretName`, `max_tokens`
//! and `keyboard` do not.

/// How much a name says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrecy {
    /// Nothing.
    None,
    /// A secret if the value looks like nothing else: `key`, `auth`.
    Weak,
    /// A secret unless the value is none.
    Strong,
    /// A header whose whole rest is one.
    Header,
}

/// Words that end a name of something about a secret, not of the secret.
const ABOUT: &[&str] = &[
    "warning",
    "exception",
    "identity",
    "exchange",
    "info",
    "op",
    "request",
    "response",
    "algorithm",
    "alg",
    "algo",
    "backend",
    "class",
    "client",
    "cmd",
    "command",
    "dir",
    "directory",
    "enabled",
    "endpoint",
    "env",
    "error",
    "exists",
    "field",
    "file",
    "files",
    "filename",
    "folder",
    "format",
    "header",
    "helper",
    "host",
    "hint",
    "ids",
    "index",
    "kind",
    "label",
    "len",
    "length",
    "level",
    "manager",
    "message",
    "method",
    "mode",
    "name",
    "names",
    "param",
    "path",
    "placeholder",
    "plugin",
    "port",
    "prefix",
    "prompt",
    "provider",
    "ref",
    "reference",
    "regex",
    "required",
    "selector",
    "server",
    "service",
    "size",
    "source",
    "stdin",
    "store",
    "storage",
    "status",
    "suffix",
    "support",
    "type",
    "types",
    "uri",
    "url",
    "user",
    "username",
    "valid",
    "var",
    "variable",
    "version",
    "fd",
    "command",
    "arn",
    "owner",
    "scope",
    "scopes",
];

/// Words that say, anywhere in a name, that it is of a number, a rule or something public.
const NEVER: &[&str] = &[
    "age",
    "authentication",
    "budget",
    "bucket",
    "count",
    "counter",
    "delta",
    "expiration",
    "expires",
    "expire",
    "expiry",
    "fingerprint",
    "interval",
    "lifetime",
    "limit",
    "max",
    "min",
    "minimum",
    "num",
    "policy",
    "pub",
    "public",
    "publishable",
    "rotation",
    "timeout",
    "total",
    "ttl",
    "usage",
    "used",
    "complexity",
    "bypass",
];

/// Words that are secrets alone, or end one that is: `pgpassword`, `authtoken`.
const ENDINGS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "passwort",
    "kennwort",
    "secret",
    "token",
    "apikey",
    "secretkey",
    "accesskey",
    "privatekey",
    "authkey",
    "presharedkey",
    "accountkey",
    "sharedkey",
    "masterkey",
    "encryptionkey",
    "signingkey",
    "sessionid",
    "storepass",
    "keypass",
    "dbpass",
    "userpass",
    "smtppass",
    "mailpass",
    "ftppass",
    "adminpass",
    "rootpass",
    "rootpw",
    "bindpw",
    "userpw",
    "adminpw",
    "dbpwd",
    "sharedsecret",
];

/// Words that are secrets alone.
const WHOLE: &[&str] = &[
    "bearer",
    "credential",
    "credentials",
    "creds",
    "jwt",
    "mnemonic",
    "pass",
    "psk",
    "pw",
    "pwd",
    "seedphrase",
    "requirepass",
];

/// What makes a key a secret one.
const OF_KEY: &[&str] = &[
    "access",
    "account",
    "admin",
    "aes",
    "api",
    "app",
    "application",
    "auth",
    "authentication",
    "base",
    "client",
    "crypt",
    "deploy",
    "encryption",
    "hmac",
    "host",
    "jwt",
    "license",
    "master",
    "preshared",
    "private",
    "priv",
    "recovery",
    "root",
    "secret",
    "service",
    "session",
    "shared",
    "signing",
    "ssh",
    "storage",
    "subscription",
    "unseal",
    "webhook",
    "integration",
    "write",
    "consumer",
    "security",
];

/// Words of a name in lower case: `dbPassword2`, `DB_PASSWORD_2` and `DB password` are the same.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = '_';
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        if !c.is_ascii_alphanumeric() {
            before = c;
            continue;
        }
        let next_lower = chars.peek().is_some_and(char::is_ascii_lowercase);
        let starts = !before.is_ascii_alphanumeric()
            || c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_uppercase() && next_lower);
        match words.last_mut() {
            Some(word) if !starts => word.push(c.to_ascii_lowercase()),
            _ => words.push(c.to_ascii_lowercase().to_string()),
        }
        before = c;
    }
    for word in &mut words {
        let bare = word.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        if bare > 0 {
            word.truncate(bare);
        }
    }
    if words.len() > 1 {
        words.retain(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    }
    words
}

/// What `name` says of the value behind it.
pub fn secrecy(name: &str) -> Secrecy {
    if name.len() > 80 || matches!(name, "PWD" | "OLDPWD") {
        return Secrecy::None;
    }
    let words = words(name);
    let Some(last) = words.last().map(String::as_str) else {
        return Secrecy::None;
    };
    let is = |word: &str, list: &[&str]| list.contains(&word);
    if is(last, &["authorization", "cookie"]) {
        return Secrecy::Header;
    }
    if is(last, ABOUT) || words.iter().any(|word| is(word, NEVER)) {
        return Secrecy::None;
    }
    let before = |at: usize| at.checked_sub(1).and_then(|at| words.get(at)).map(String::as_str);
    if last == "id" {
        let of = before(words.len() - 1).unwrap_or_default();
        return match of {
            "session" | "secret" => Secrecy::Strong,
            "key" => Secrecy::Weak,
            _ => Secrecy::None,
        };
    }
    for (at, word) in words.iter().enumerate() {
        let strong = is(word, WHOLE) || ENDINGS.iter().any(|ending| word.ends_with(ending));
        let key = word == "key" && before(at).is_some_and(|of| is(of, OF_KEY));
        let phrase = word == "phrase" && before(at).is_some_and(|of| is(of, &["seed", "secret", "recovery", "pass"]));
        if strong || key || phrase {
            return Secrecy::Strong;
        }
    }
    let weak = [
        "key",
        "auth",
        "session",
        "salt",
        "dsn",
        "license",
        "otp",
        "sig",
        "signature",
    ];
    if last == "sid" || words.iter().any(|word| is(word, &weak)) {
        return Secrecy::Weak;
    }
    Secrecy::None
}

#[cfg(test)]
mod tests {
    use super::{secrecy, Secrecy};

    #[test]
    fn names_tell() {
        for name in [
            "API_TOKEN",
            "PGPASSWORD",
            "dbPassword2",
            "Secret Access Key",
            "APIKey",
            "client-key-data",
            "_authToken",
            "pass",
            "SECRET_KEY_BASE",
            "sessionid",
            "Unseal Key 1",
        ] {
            assert_eq!(secrecy(name), Secrecy::Strong, "{name}");
        }
        for name in [
            "keyboard",
            "monkey",
            "max_tokens",
            "secretName",
            "tokens",
            "PWD",
            "token_expires_in",
            "POSTGRES_PASSWORD_FILE",
            "token_type",
            "public_key",
            "tokenizer",
            "compass",
            "author",
            "",
        ] {
            assert_eq!(secrecy(name), Secrecy::None, "{name}");
        }
        assert_eq!(secrecy("Proxy-Authorization"), Secrecy::Header);
        assert_eq!(secrecy("CACHE_KEY"), Secrecy::Weak);
    }
}
