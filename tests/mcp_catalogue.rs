//! The tools, held against the catalogue that clients know: names, arguments, types, replies, hints. Descriptions are ours.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)] // a test may stop where it fails

#[path = "support/mcp.rs"]
mod mcp;
mod support;

use mcp::Mcp;
use serde_json::{json, Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use support::Server;

/// Tools of ours that no catalogue knows.
const OURS: &[&str] = &["get_status", "wait_for_attention"];

/// The most bytes that the list of all tools may take.
const MOST_BYTES: usize = 90_000;

fn catalogue() -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("mcp/tools.json")).unwrap();
    file["tools"].as_array().unwrap().clone()
}

fn everything(server: &Server) -> Mcp {
    Mcp::start_with(server, &[], &[("LIBTMUX_TOOLSETS", "inspect,manage,execute,teardown")])
}

fn by_name(tools: Vec<Value>) -> BTreeMap<String, Value> {
    let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
    tools.into_iter().map(|tool| (name(&tool), tool)).collect()
}

#[test]
fn every_tool_of_the_catalogue_is_there_and_no_other() {
    let server = Server::quiet();
    let listed: BTreeSet<String> = by_name(everything(&server).tools()).into_keys().collect();
    let known: BTreeSet<String> = by_name(catalogue()).into_keys().collect();
    assert_eq!(known.len(), 45);
    let ours: BTreeSet<String> = OURS.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(listed, &known | &ours);
}

#[test]
fn arguments_replies_and_hints_are_those_of_the_catalogue() {
    let server = Server::quiet();
    let listed = by_name(everything(&server).tools());
    for (name, known) in by_name(catalogue()) {
        let Some(tool) = listed.get(&name) else { continue };
        assert_eq!(tool["annotations"], known["annotations"], "{name}");
        assert_eq!(tool["title"], known["title"], "{name}");
        same_arguments(&name, &tool["inputSchema"], &known["inputSchema"]);
        same_reply(&name, &tool["outputSchema"], &known["outputSchema"]);
    }
}

/// All that the catalogue takes is taken, and nothing else is needed: arguments of ours are optional.
fn same_arguments(name: &str, ours: &Value, known: &Value) {
    assert_eq!(required(ours), required(known), "{name}");
    let own = properties(ours);
    for (argument, schema) in properties(known) {
        let at = format!("{name}.{argument}");
        let found = own.get(&argument).unwrap_or_else(|| panic!("{at} is missing"));
        let (found, known) = (shape(found, ours), shape(&schema, known));
        // Bounds of ours, which the catalogue has only in words, may come on top.
        for (key, known) in known.as_object().unwrap() {
            assert_eq!(&found[key], known, "{at}: {key}");
        }
    }
}

/// All that the catalogue replies is replied.
fn same_reply(name: &str, ours: &Value, known: &Value) {
    assert!(
        required(ours).is_superset(&required(known)),
        "{name}: {:?}",
        required(ours)
    );
    let own = properties(ours);
    for (field, schema) in properties(known) {
        let at = format!("{name} → {field}");
        let found = own.get(&field).unwrap_or_else(|| panic!("{at} is missing"));
        same_shape(&at, &shape(found, ours), &shape(&schema, known));
    }
}

/// The same, but for fields that we have besides, and for nulls that we never send.
fn same_shape(at: &str, ours: &Value, known: &Value) {
    if let (Some(ours), Some(known)) = (ours["properties"].as_object(), known["properties"].as_object()) {
        for (field, known) in known {
            let found = ours.get(field).unwrap_or_else(|| panic!("{at}.{field} is missing"));
            same_shape(&format!("{at}.{field}"), found, known);
        }
        return;
    }
    if known["items"].is_object() {
        return same_shape(&format!("{at}[]"), &ours["items"], &known["items"]);
    }
    let subset = |key: &str| {
        let words = |schema: &Value| schema[key].as_array().cloned().unwrap_or_default();
        let known = words(known);
        known.iter().all(|word| words(ours).contains(word))
    };
    let same_types = ours["type"] == known["type"] || subset("type");
    assert!(same_types && subset("enum"), "{at}: {ours} is not {known}");
}

fn required(schema: &Value) -> BTreeSet<String> {
    let names = schema["required"].as_array().cloned().unwrap_or_default();
    names.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

fn properties(schema: &Value) -> Map<String, Value> {
    schema["properties"].as_object().cloned().unwrap_or_default()
}

/// What a schema demands, however it is written: references followed, alternatives of words made one enumeration.
fn shape(schema: &Value, root: &Value) -> Value {
    if let Some(reference) = schema["$ref"].as_str() {
        return shape(root.pointer(reference.trim_start_matches('#')).unwrap(), root);
    }
    let (mut types, mut words) = (Vec::new(), Vec::new());
    let branches = [&schema["anyOf"], &schema["oneOf"]]
        .into_iter()
        .find_map(Value::as_array);
    let mut out = Map::new();
    match branches {
        Some(branches) => {
            for branch in branches.iter().map(|branch| shape(branch, root)) {
                list(&branch["type"], &mut types);
                list(&branch["enum"], &mut words);
                for key in ["properties", "items"] {
                    if !branch[key].is_null() {
                        out.insert(key.into(), branch[key].clone());
                    }
                }
            }
        }
        None => {
            list(&schema["type"], &mut types);
            list(&schema["enum"], &mut words);
            list(&schema["const"], &mut words);
            words.retain(|word| !word.is_null());
        }
    }
    for key in [
        "minimum",
        "maximum",
        "minItems",
        "maxItems",
        "minLength",
        "maxLength",
        "pattern",
    ] {
        if !schema[key].is_null() {
            out.insert(key.into(), schema[key].clone());
        }
    }
    if let Some(default) = schema.get("default").filter(|default| !default.is_null()) {
        out.insert("default".into(), default.clone());
    }
    if let Some(fields) = schema["properties"].as_object() {
        let fields = fields
            .iter()
            .map(|(name, field)| (name.clone(), shape(field, root)))
            .collect();
        out.insert("properties".into(), Value::Object(fields));
    }
    if schema["items"].is_object() {
        out.insert("items".into(), shape(&schema["items"], root));
    }
    if schema["additionalProperties"].is_object() {
        out.insert("values".into(), shape(&schema["additionalProperties"], root));
    }
    if !words.is_empty() {
        words.sort_by_key(Value::to_string);
        out.insert("enum".into(), Value::Array(words));
    }
    types.sort_by_key(Value::to_string);
    types.dedup();
    match types.as_slice() {
        [] => {}
        [one] => drop(out.insert("type".into(), one.clone())),
        _ => drop(out.insert("type".into(), Value::Array(types))),
    }
    Value::Object(out)
}

fn list(value: &Value, into: &mut Vec<Value>) {
    match value {
        Value::Null => {}
        Value::Array(all) => into.extend(all.iter().cloned()),
        one => into.push(one.clone()),
    }
}

#[test]
fn every_argument_is_described_and_no_other_is_taken() {
    let server = Server::quiet();
    for tool in everything(&server).tools() {
        closed(
            tool["name"].as_str().unwrap(),
            &tool["inputSchema"],
            &tool["inputSchema"],
        );
    }
}

fn closed(at: &str, schema: &Value, root: &Value) {
    if let Some(properties) = schema["properties"].as_object() {
        assert_eq!(schema["additionalProperties"], false, "{at}");
        assert_eq!(schema["type"], "object", "{at}");
        for (name, property) in properties {
            let at = format!("{at}.{name}");
            let followed = property["$ref"]
                .as_str()
                .and_then(|r| root.pointer(r.trim_start_matches('#')));
            let property = followed.unwrap_or(property);
            let nested = property["properties"].is_object();
            assert!(nested || property["description"].is_string(), "{at}: {property}");
            let integer = property["type"].to_string().contains("integer");
            let signed = property["format"].is_string();
            assert!(
                !integer || signed || property["minimum"].is_number(),
                "{at}: {property}"
            );
            closed(&at, property, root);
        }
    }
    for branch in schema["items"]["oneOf"].as_array().into_iter().flatten() {
        closed(at, branch, root);
    }
    if schema["items"].is_object() {
        closed(at, &schema["items"], root);
    }
}

#[test]
fn the_list_is_short() {
    let server = Server::quiet();
    let mut mcp = everything(&server);
    let id = mcp.send("tools/list", json!({}));
    let line = mcp.line().unwrap();
    assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["id"], id);
    println!("tools/list: {} bytes", line.len());
    assert!(line.len() < MOST_BYTES, "{} bytes", line.len());
}
