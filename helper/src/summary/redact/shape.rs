//! Secrets that are known by their own shape, whatever stands before them: tokens with a prefix, hashes of passwords, and what
//! certain commands take.

use super::value::{is_reference, suspicious};
use super::Found;
use regex::bytes::{Regex, RegexBuilder};
use std::sync::OnceLock;

/// The characters that a token goes on with.
#[derive(Debug, Clone, Copy)]
enum Of {
    Letters,
    Words,
    Dotted,
    Base64,
    Hex,
    Capitals,
    Path,
}

impl Of {
    fn holds(self, b: u8) -> bool {
        let word = b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        match self {
            Of::Letters => b.is_ascii_alphanumeric(),
            Of::Words => word,
            Of::Dotted => word || b == b'.',
            Of::Base64 => b.is_ascii_alphanumeric() || b"+/=_-".contains(&b),
            Of::Hex => b.is_ascii_digit() || (b'a'..=b'f').contains(&b),
            Of::Capitals => b.is_ascii_uppercase() || b.is_ascii_digit(),
            Of::Path => word || b"/.@%?=&".contains(&b),
        }
    }
}

/// A prefix, how many characters must follow it, which, and whether the prefix itself stays.
type Prefix = (&'static str, usize, Of, bool);

/// What tokens begin with.
const PREFIXES: &[Prefix] = &[
    ("AKIA", 12, Of::Capitals, false),
    ("ASIA", 12, Of::Capitals, false),
    ("ABIA", 12, Of::Capitals, false),
    ("ACCA", 12, Of::Capitals, false),
    ("ghp_", 16, Of::Letters, false),
    ("gho_", 16, Of::Letters, false),
    ("ghu_", 16, Of::Letters, false),
    ("ghs_", 16, Of::Letters, false),
    ("ghr_", 16, Of::Letters, false),
    ("github_pat_", 16, Of::Words, false),
    ("glpat-", 12, Of::Dotted, false),
    ("gldt-", 12, Of::Dotted, false),
    ("glrt-", 12, Of::Dotted, false),
    ("glcbt-", 12, Of::Dotted, false),
    ("glptt-", 12, Of::Dotted, false),
    ("glft-", 12, Of::Dotted, false),
    ("glsoat-", 12, Of::Dotted, false),
    ("GR1348941", 12, Of::Words, false),
    ("xoxb-", 8, Of::Words, false),
    ("xoxp-", 8, Of::Words, false),
    ("xoxa-", 8, Of::Words, false),
    ("xoxe-", 8, Of::Words, false),
    ("xoxo-", 8, Of::Words, false),
    ("xoxr-", 8, Of::Words, false),
    ("xoxs-", 8, Of::Words, false),
    ("xoxe.xox", 8, Of::Dotted, false),
    ("xapp-", 12, Of::Words, false),
    ("hooks.slack.com/", 20, Of::Path, true),
    ("discord.com/api/webhooks/", 20, Of::Path, true),
    ("discordapp.com/api/webhooks/", 20, Of::Path, true),
    ("webhook.office.com/", 20, Of::Path, true),
    ("sk_live_", 8, Of::Letters, false),
    ("sk_test_", 8, Of::Letters, false),
    ("rk_live_", 8, Of::Letters, false),
    ("rk_test_", 8, Of::Letters, false),
    ("whsec_", 12, Of::Base64, false),
    ("sk-", 8, Of::Words, false),
    ("AIza", 30, Of::Words, false),
    ("ya29.", 16, Of::Dotted, false),
    ("GOCSPX-", 16, Of::Words, false),
    ("1//0", 24, Of::Words, false),
    ("hf_", 20, Of::Letters, false),
    ("npm_", 20, Of::Letters, false),
    ("pypi-", 20, Of::Words, false),
    ("rubygems_", 20, Of::Letters, false),
    ("SG.", 30, Of::Dotted, false),
    ("SK", 32, Of::Hex, false),
    ("dop_v1_", 20, Of::Letters, false),
    ("doo_v1_", 20, Of::Letters, false),
    ("dor_v1_", 20, Of::Letters, false),
    ("eyJ", 24, Of::Dotted, false),
    ("AGE-SECRET-KEY-", 20, Of::Words, false),
    ("hvs.", 16, Of::Words, false),
    ("hvb.", 16, Of::Words, false),
    ("dapi", 32, Of::Hex, false),
    ("lin_api_", 20, Of::Letters, false),
    ("dp.pt.", 20, Of::Letters, false),
    ("pul-", 32, Of::Hex, false),
    ("shpat_", 20, Of::Letters, false),
    ("shpss_", 20, Of::Letters, false),
    ("shpca_", 20, Of::Letters, false),
    ("sntrys_", 20, Of::Base64, false),
    ("sntryu_", 20, Of::Base64, false),
    ("glsa_", 20, Of::Words, false),
    ("glc_", 30, Of::Base64, false),
    ("figd_", 20, Of::Words, false),
    ("ntn_", 30, Of::Letters, false),
    ("key-", 32, Of::Hex, false),
    ("sq0atp-", 16, Of::Words, false),
    ("sq0csp-", 16, Of::Words, false),
    ("NRAK-", 20, Of::Letters, false),
    ("HRKU-", 20, Of::Words, false),
    ("PMAK-", 20, Of::Words, false),
    ("pscale_tkn_", 16, Of::Dotted, false),
    ("pscale_pw_", 16, Of::Dotted, false),
    ("tskey-", 16, Of::Words, false),
    ("sbp_", 30, Of::Hex, false),
    ("pplx-", 30, Of::Letters, false),
    ("gsk_", 30, Of::Letters, false),
    ("xai-", 40, Of::Letters, false),
    ("r8_", 30, Of::Letters, false),
    ("ATATT3", 24, Of::Base64, false),
    ("ATCTT3", 24, Of::Base64, false),
    ("ATBB", 24, Of::Letters, false),
    ("CCIPAT_", 20, Of::Words, false),
    ("fm2_", 24, Of::Base64, false),
    ("fo1_", 24, Of::Words, false),
    ("cio", 32, Of::Letters, false),
    ("ops_eyJ", 20, Of::Dotted, false),
    ("EAACEdEose0cBA", 8, Of::Letters, false),
];

/// A shape that takes more than a prefix. Group 1 is the secret, or all of it without groups.
struct Pattern {
    /// Words without one of which it cannot be there, in lower case.
    words: &'static [&'static str],
    pattern: &'static str,
    /// Only what is no plain word counts.
    telling: bool,
    regex: OnceLock<Option<Regex>>,
}

const fn pattern(words: &'static [&'static str], pattern: &'static str, telling: bool) -> Pattern {
    Pattern {
        words,
        pattern,
        telling,
        regex: OnceLock::new(),
    }
}

/// An argument in quotes of either kind or bare.
macro_rules! arg {
    () => {
        r#"("[^"]*"?|'[^']*'?|[^ "'<>|;=-][^ "'|;]*)"#
    };
}

static PATTERNS: &[&Pattern] = &[
    &BEARER,
    &IN_ADDRESS,
    &TELEGRAM,
    &DISCORD,
    &CRYPT,
    &PGPASS,
    &NETRC,
    &SQL,
    &MYSQL,
    &DATABASE,
    &CURL,
    &SSHPASS,
    &LOGIN,
    &LDAP,
    &ZIP,
    &OPENSSL,
    &HTPASSWD,
    &SMB,
    &PIPED,
    &SETTING,
    &GIVEN,
    &OBJECT,
    &PAIR,
    &ONE_LINE_KEY,
];

static BEARER: Pattern = pattern(&["bearer", "basic"], r"\b(?:bearer|basic) +([a-z0-9._~+/=-]{8,})", true);
// A port and a path that goes on with an `@` are no password.
static IN_ADDRESS: Pattern = pattern(
    &["://"],
    r#"[a-z][a-z0-9+.-]*://([^\s/:@"']*:(?:[^\s"'/]+|[0-9]*[^\s"'/0-9@][^\s"'@]*)|[a-z0-9_-]{20,}|[a-z0-9_-]+:[^\s/"']*)@"#,
    false,
);
static TELEGRAM: Pattern = pattern(&[":aa"], r"([0-9]{6,12}:(?-i:AA)[a-z0-9_-]{30,})", false);
static DISCORD: Pattern = pattern(
    &["discord", "bot", "token"],
    r"\b((?-i:[MNO])[a-z0-9_-]{22,27}\.[a-z0-9_-]{6,7}\.[a-z0-9_-]{27,40})",
    false,
);
static CRYPT: Pattern = pattern(
    &[
        "$1$", "$2", "$5$", "$6$", "$7$", "$y$", "$gy$", "$apr1$", "$argon2", "$scrypt", "$pbkdf2", "{sha", "{ssha",
        "{smd5",
    ],
    r"(\$(?:apr1|1|2[abxy]?|5|6|7|y|gy|argon2[a-z]*|scrypt|pbkdf2[a-z0-9-]*)\$[./a-z0-9$=,+-]{8,}|\{s?(?:sha|md5)[0-9]*\}[a-z0-9+/=]{16,})",
    false,
);
static PGPASS: Pattern = pattern(
    &[":5432:", ":5433:", ":6432:", ":*:"],
    r"[^\s:]+:(?:[0-9]{4,5}|\*):[^\s:]+:[^\s:]+:([^\s]+)",
    false,
);
static NETRC: Pattern = pattern(
    &["login", "machine"],
    concat!(r"\b(?:login|machine) +[^ ]+ +.*?\bpassword +", arg!()),
    false,
);
static SQL: Pattern = pattern(
    &["identified", "password"],
    r#"\b(?:identified +(?:with +[^ ]+ +)?(?:by|as)|password) +(?:password +)?('[^']+'?|"[^"]+"?)"#,
    false,
);
// `-P` is the port.
static MYSQL: Pattern = pattern(
    &["mysql", "mariadb"],
    r#"\b(?:mysql[a-z]*|mariadb[a-z-]*)\b.*? (?-i:-p)("[^"]*"?|'[^']*'?|[^ "']+)"#,
    false,
);
static DATABASE: Pattern = pattern(
    &["mongo", "redis-cli", "valkey-cli", "sqlcmd"],
    concat!(
        r"\b(?:mongo[a-z]*\b.*? (?-i:-p)|(?:redis|valkey)-cli\b.*? (?-i:-a)|sqlcmd\b.*? (?-i:-P)) *",
        arg!()
    ),
    false,
);
static CURL: Pattern = pattern(
    &["curl", "wget", "http "],
    r#"\b(?:curl|https?)\b.*? (?-i:-u|--user|-U|--proxy-user|-a|--auth)[ =]*(?:"[^":]*:([^"]+)|'[^':]*:([^']+)|[^ "':]*:([^ "']+))"#,
    false,
);
static SSHPASS: Pattern = pattern(&["sshpass"], concat!(r"\bsshpass +(?-i:-p) *", arg!()), false);
static LOGIN: Pattern = pattern(
    &[" login", " upload", "doctl", "twine"],
    concat!(
        r"\b(?:(?:docker|podman|nerdctl|buildah|skopeo|oras|helm|crane|az|oc|vault|cf|argocd|twine)\b.* (?:login|upload)\b.*? (?-i:-p)|doctl\b.*? (?-i:-t)) +",
        arg!()
    ),
    false,
);
static LDAP: Pattern = pattern(
    &["ldap"],
    concat!(
        r"\bldap(?:search|add|modify|delete|whoami|passwd)\b.*? (?-i:-w) *",
        arg!()
    ),
    false,
);
static ZIP: Pattern = pattern(
    &["zip", "7z", "rar"],
    concat!(
        r"\b(?:(?:un)?zip\b.*? (?-i:-P) *|7z[a-z]*\b.*? (?-i:-p)|(?:un)?rar\b.*? (?-i:-h?p))",
        arg!()
    ),
    false,
);
static OPENSSL: Pattern = pattern(
    &["pass:", "openssl"],
    concat!(r"(?: pass:|\bopenssl +enc\b.*? (?-i:-k) +)", arg!()),
    false,
);
static HTPASSWD: Pattern = pattern(
    &["htpasswd"],
    concat!(r"\bhtpasswd +-[a-z0-9]*b[a-z0-9]* +(?:[^ ]+ +)?[^ ]+ +", arg!()),
    false,
);
static SMB: Pattern = pattern(
    &["smb", "rpcclient", "cifs"],
    r#"(?:-U|--user)[ =]*["']?[^ %"']+%([^ "']+)"#,
    false,
);
static PIPED: Pattern = pattern(
    &["stdin", "sudo -s", "chpasswd", "--with-token"],
    concat!(
        r"\b(?:echo|printf|print)(?: +-[a-z]+)*(?: +'?%s[^ ]*)? +",
        arg!(),
        r" *\| *(?:.*(?:--[a-z-]*stdin|--with-token)|sudo +-S|(?:sudo +)?chpasswd)"
    ),
    false,
);
static SETTING: Pattern = pattern(
    &["requirepass", "masterauth", "auth ", "wpa_passphrase"],
    concat!(
        r"(?:\b(?:requirepass|masterauth) +|> *auth +(?:[^ ]+ +)?|\bwpa_passphrase +[^ ]+ +)",
        arg!()
    ),
    false,
);
static OBJECT: Pattern = pattern(&["\"kind\":\"secret\""], r#""(?:data|stringData)":\{([^}]*)\}"#, false);
static GIVEN: Pattern = pattern(
    &["<<<", "ssh-keygen", "secret set", "net user", "%3d"],
    concat!(
        r"(?:(?:secret|passw|login|sudo +-s|stdin)[^<]*<<< *|\bssh-keygen\b.*? (?-i:-[NP]) *|\bsecret +set\b.*? (?:--body|-b)[ =]|",
        r"\bnet +user +[^ /]+ +|(?:token|passw(?:or)?d|secret|api_?key)%3d)",
        arg!()
    ),
    false,
);
static PAIR: Pattern = pattern(
    &["value=", "value\":"],
    r#"\b(?:key|name)["']?[=:] *"[^"]*(?:password|passwd|secret|token|pwd|apikey|api[_-]key|access[_-]?key|private[_-]?key)[^"]*",? *"?value"?[=:] *"([^"]*)"#,
    false,
);
static ONE_LINE_KEY: Pattern = pattern(
    &["private key"],
    r"-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(.+?)(?:-----END|$)",
    false,
);

impl Pattern {
    fn find(&self, line: &str, found: &mut Found) {
        let compile = || {
            RegexBuilder::new(self.pattern)
                .case_insensitive(true)
                .unicode(false)
                .build()
                .ok()
        };
        let Some(regex) = self.regex.get_or_init(compile) else {
            return;
        };
        for groups in regex.captures_iter(line.as_bytes()) {
            let Some(secret) = groups.iter().skip(1).flatten().next() else {
                continue;
            };
            let text = String::from_utf8_lossy(secret.as_bytes());
            let bare = text.trim_matches(['"', '\'']);
            if is_reference(bare) || self.telling && !suspicious(bare) {
                continue;
            }
            found.add(secret.range());
        }
    }
}

/// The words of all shapes, each with the shape's number: prefixes first.
pub fn triggers() -> impl Iterator<Item = (&'static str, usize)> {
    let prefixes = PREFIXES.iter().enumerate().map(|(at, prefix)| (prefix.0, at));
    let of = |(at, pattern): (usize, &&'static Pattern)| {
        let number = PREFIXES.len() + at;
        pattern
            .words
            .iter()
            .map(move |&word| (word, number))
            .collect::<Vec<_>>()
    };
    prefixes.chain(PATTERNS.iter().enumerate().flat_map(of))
}

/// Takes what has shape number `shape`, whose word stands at `at`.
pub fn find(line: &str, shape: usize, at: usize, found: &mut Found) {
    match PREFIXES.get(shape) {
        Some(prefix) => find_prefixed(line, prefix, at, found),
        None => {
            if let Some(pattern) = shape.checked_sub(PREFIXES.len()).and_then(|at| PATTERNS.get(at)) {
                pattern.find(line, found);
            }
        }
    }
}

/// Whether the shape is found by looking at one place, so that each place is to be looked at.
pub fn is_local(shape: usize) -> bool {
    shape < PREFIXES.len()
}

fn find_prefixed(line: &str, prefix: &Prefix, at: usize, found: &mut Found) {
    let (word, least, of, stays) = *prefix;
    let bytes = line.as_bytes();
    let before = at.checked_sub(1).and_then(|at| bytes.get(at));
    let start = at + word.len();
    if before.is_some_and(u8::is_ascii_alphanumeric) || !line.get(at..).is_some_and(|rest| rest.starts_with(word)) {
        return;
    }
    let follow = bytes
        .get(start..)
        .unwrap_or_default()
        .iter()
        .take_while(|&&b| of.holds(b))
        .count();
    let token = line.get(start..start + follow).unwrap_or_default();
    // `sk-ssh-ed25519@openssh.com` is a kind of key.
    if word == "sk-" && (token.starts_with("ssh-") || token.starts_with("ecdsa-")) {
        return;
    }
    // A masked token is none, and what goes on as words do is a name.
    if follow < least || !token.bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase()) {
        return;
    }
    found.add(if stays { start } else { at }..start + follow);
}
