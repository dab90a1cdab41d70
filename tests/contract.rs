//! The status file against its published contract: samples, schema, and what the schema must refuse.

use serde_json::{json, Value};
use tmux_status::status::schema::StatusFile;

const SAMPLES: [&str; 2] = [
    include_str!("golden/contract-sample.json"),
    include_str!("golden/contract-empty.json"),
];

fn is_valid(file: &Value) -> bool {
    let schema: Value = serde_json::from_str(include_str!("golden/status.schema.json")).unwrap();
    jsonschema::draft202012::is_valid(&schema, file)
}

#[test]
fn the_contracts_samples_are_read_and_written_to_the_letter() {
    for sample in SAMPLES {
        let file: StatusFile = serde_json::from_str(sample).unwrap();
        let written = String::from_utf8(file.to_bytes().unwrap()).unwrap();
        assert_eq!(written, sample);
        assert!(is_valid(&serde_json::from_str(sample).unwrap()));
    }
}

#[test]
fn the_schema_refuses_what_the_contract_forbids() {
    let sample: Value = serde_json::from_str(SAMPLES[0]).unwrap();
    let with = |pointer: &str, value: Value| {
        let mut file = sample.clone();
        *file.pointer_mut(pointer).unwrap() = value;
        file
    };
    let window = "/sessions/0/windows/0";
    for (pointer, value) in [
        ("/generatedAt".to_owned(), json!(1_718_500_000_123_u64)),
        (format!("{window}/statusKind"), json!("busy")),
        (format!("{window}/summary"), json!("two\nlines")),
        (format!("{window}/summary"), json!("x".repeat(81))),
        (format!("{window}/index"), json!("0")),
        ("/sessions/0/attached".to_owned(), json!(1)),
        (
            "/sessions/0".to_owned(),
            json!({"name": "a", "attached": true, "windows": [], "id": "$0"}),
        ),
    ] {
        assert!(!is_valid(&with(&pointer, value.clone())), "{pointer} = {value}");
    }
}
