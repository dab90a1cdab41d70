use super::*;
use serde_json::json;

fn claude(payload: Value) -> Option<Said> {
    said("claude", None, &payload)
}

fn some(state: Reported, text: &str) -> Option<Said> {
    Some(Said {
        state: Some(state),
        text: text.to_owned(),
    })
}

#[test]
fn a_tool_is_told_with_what_it_is_used_on() {
    let used = |name: &str, input: Value| {
        let payload =
            json!({"hook_event_name": "PreToolUse", "cwd": "/home/dev/p", "tool_name": name, "tool_input": input});
        claude(payload).unwrap().text
    };
    assert_eq!(used("Bash", json!({"command": "cargo test\n--all"})), "Bash cargo test");
    assert_eq!(
        used("Edit", json!({"file_path": "/home/dev/p/src/a.rs"})),
        "Edit src/a.rs"
    );
    assert_eq!(
        used("Edit", json!({"file_path": "/home/dev/p2/a.rs"})),
        "Edit /home/dev/p2/a.rs"
    );
    assert_eq!(used("shell", json!({"command": ["ls", "-l"]})), "shell ls -l");
    assert_eq!(used("run_shell_command", json!({"command": "ls"})), "Shell ls");
    assert_eq!(used("TodoWrite", json!({"todos": []})), "TodoWrite");
    assert_eq!(used("Bash", json!({"command": " \n "})), "Bash");
    let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-a\n+b";
    assert_eq!(
        used("apply_patch", json!({"command": patch})),
        "apply_patch Update File: src/a.rs"
    );
}

#[test]
fn a_tool_that_asks_is_a_question_with_its_words() {
    for event in ["PreToolUse", "PermissionRequest"] {
        let input = json!({"questions": [{"question": "Which database?\nPick one.", "header": "DB"}]});
        let payload = json!({"hook_event_name": event, "tool_name": "AskUserQuestion", "tool_input": input});
        assert_eq!(claude(payload), some(Question, "Which database?"));
        let payload = json!({"hook_event_name": event, "tool_name": "ExitPlanMode", "tool_input": {"plan": "# Plan"}});
        assert_eq!(claude(payload), some(Question, "approve the plan?"));
    }
}

#[test]
fn a_turn_ends_with_its_last_words_unless_its_own_work_goes_on() {
    let stop = |tasks: Value| {
        claude(json!({
            "hook_event_name": "Stop",
            "last_assistant_message": "\nAll green.\n\nMore below.",
            "background_tasks": tasks,
        }))
    };
    assert_eq!(stop(json!([])), some(Done, "All green."));
    assert_eq!(stop(Value::Null), some(Done, "All green."));
    let task = |kind: &str, status: &str| json!([{"type": kind, "status": status, "description": "Find it"}]);
    assert_eq!(stop(task("subagent", "running")), some(Working, "background: Find it"));
    assert_eq!(stop(task("subagent", "completed")), some(Done, "All green."));
    assert_eq!(stop(task("shell", "running")), some(Done, "All green."), "a server");
}

#[test]
fn a_subagent_works_and_asks_but_never_ends_the_turn() {
    let of = |event: &str| {
        claude(
            json!({"hook_event_name": event, "agent_id": "a1", "tool_name": "Bash", "tool_input": {"command": "ls"}}),
        )
    };
    assert_eq!(of("PreToolUse"), some(Working, "Bash ls"));
    assert_eq!(of("PermissionRequest"), some(Permission, "Bash ls"));
    for event in [
        "Stop",
        "StopFailure",
        "SessionStart",
        "SessionEnd",
        "SubagentStart",
        "SubagentStop",
        "Interrupt",
    ] {
        assert_eq!(of(event), None, "{event}");
    }
}

#[test]
fn compaction_is_work_and_ends_where_it_began() {
    let of = |event: &str, key: &str, word: &str| claude(json!({"hook_event_name": event, key: word}));
    assert_eq!(of("PreCompact", "trigger", "auto"), some(Working, "compacting"));
    assert_eq!(of("SessionStart", "source", "compact"), None);
    assert_eq!(of("PostCompact", "trigger", "auto"), some(Working, ""));
    assert_eq!(of("PostCompact", "trigger", "manual"), some(Waiting, ""));
}

#[test]
fn an_interrupted_tool_ends_the_turn_and_a_failed_one_does_not() {
    let failed =
        |interrupted: bool| claude(json!({"hook_event_name": "PostToolUseFailure", "is_interrupt": interrupted}));
    assert_eq!(failed(true), some(Waiting, "interrupted"));
    assert_eq!(failed(false), some(Working, ""));
}

#[test]
fn an_error_within_an_error_is_told_by_its_message() {
    let error = |message: &str| {
        let payload = json!({"errorContext": "model_call", "error": {"message": message, "name": "Error"}});
        said("copilot", Some("errorOccurred"), &payload).unwrap().text
    };
    assert_eq!(error(r#"{"message":"bad request","code":400}"#), "bad request");
    assert_eq!(error(r#"{"error":{"message":"slow down"}}"#), "slow down");
    assert_eq!(error("{odd"), "{odd");
    assert_eq!(error(""), "Error");
}

#[test]
fn what_is_no_event_of_that_agent_says_nothing() {
    for payload in [
        json!({}),
        json!({"hook_event_name": 7}),
        json!({"hook_event_name": "NewInTheNextVersion"}),
        json!({"hook_event_name": "Notification", "notification_type": "idle_prompt"}),
        json!({"type": "session.idle"}),
    ] {
        assert_eq!(claude(payload.clone()), None, "{payload}");
    }
    let stop = json!({"hook_event_name": "Stop"});
    assert_eq!(said("nobody", None, &stop), None);
    assert_eq!(said("gemini", None, &stop), None);
    assert_eq!(said("copilot", None, &stop), None, "it names no event in its payload");
}

#[test]
fn odd_values_in_known_places_are_no_text() {
    for odd in [json!(7), json!([]), json!({}), Value::Null] {
        let payload = json!({"hook_event_name": "PreToolUse", "tool_name": odd, "tool_input": odd, "cwd": odd});
        assert_eq!(claude(payload), some(Working, ""), "{odd}");
        let payload = json!({"hook_event_name": "Stop", "last_assistant_message": odd, "background_tasks": odd});
        assert_eq!(claude(payload), some(Done, ""), "{odd}");
    }
}
