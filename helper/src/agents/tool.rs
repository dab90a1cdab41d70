//! Which tool an agent uses on what, and what it asks, in one line: from the JSON of its hooks.

use serde_json::Value;

/// Where agents put the name of a tool.
const NAMES: &[&str] = &[
    "/tool_name",
    "/toolName",
    "/tool",
    "/properties/permission",
    "/details/toolName",
];
/// Where agents put what a tool is used on.
const INPUTS: &[&str] = &[
    "/tool_input",
    "/toolArgs",
    "/toolInput",
    "/args",
    "/properties/metadata",
    "/details",
];
/// What of it names the object best, in that order.
const OBJECTS: &[&str] = &[
    "command",
    "file_path",
    "filePath",
    "absolute_path",
    "notebook_path",
    "fileName",
    "path",
    "pattern",
    "query",
    "url",
    "skill",
    "description",
    "prompt",
];
/// Names that only a program would say.
const SAID: &[(&str, &str)] = &[("run_shell_command", "Shell"), ("exec", "Shell"), ("edit", "Edit")];

/// `Bash cargo test`; empty when no tool is named.
pub(super) fn used(payload: &Value) -> String {
    let string = |place: &&str| payload.pointer(place).and_then(Value::as_str);
    // A dialog of Gemini names the kind of the tool only.
    let name = NAMES
        .iter()
        .chain(&["/details/type"])
        .find_map(string)
        .unwrap_or_default();
    let said = spoken(name);
    let cwd = payload.get("cwd").and_then(Value::as_str);
    let object = INPUTS.iter().find_map(|place| object(payload.pointer(place)?, cwd));
    let object = object.or_else(|| first_line(payload.pointer("/properties/patterns/0")?.as_str()?));
    match object {
        Some(object) => format!("{said} {object}"),
        None => said.to_owned(),
    }
}

/// The tool in `Claude needs your permission to use Bash`; some versions leave it out.
pub(super) fn named_in(message: &str) -> String {
    let name = message.split_once(" permission to use ").map(|(_, name)| name.trim());
    name.map_or_else(String::new, |name| spoken(name).to_owned())
}

/// A tool's name as people say it.
fn spoken(name: &str) -> &str {
    SAID.iter()
        .find(|(known, _)| *known == name)
        .map_or(name, |(_, said)| said)
}

fn object(input: &Value, cwd: Option<&str>) -> Option<String> {
    let of = |key: &&str| match input.get(key)? {
        Value::String(text) => first_line(text),
        Value::Array(words) => {
            let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
            first_line(&words.join(" "))
        }
        _ => None,
    };
    let object = OBJECTS.iter().find_map(of)?;
    // Files of the project are named from there, as people do.
    let inner = cwd.and_then(|cwd| object.strip_prefix(cwd)?.strip_prefix('/').map(str::to_owned));
    Some(inner.filter(|inner| !inner.is_empty()).unwrap_or(object))
}

/// What is asked of the user.
pub(super) fn question(payload: &Value) -> String {
    let inputs = INPUTS.iter().chain(&["/properties"]);
    let asked = inputs.filter_map(|place| payload.pointer(place)).find_map(|input| {
        let first = input.pointer("/questions/0");
        let text = first.and_then(|q| q.get("question").or_else(|| q.get("header")));
        first_line(text.or_else(|| input.get("question"))?.as_str()?)
    });
    asked.unwrap_or_default()
}

/// The first line that says something.
pub(super) fn first_line(text: &str) -> Option<String> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines.next()?;
    // A patch is named by the first file in it.
    let line = if line == "*** Begin Patch" {
        lines.next()?.trim_start_matches("*** ")
    } else {
        line
    };
    Some(line.to_owned())
}
