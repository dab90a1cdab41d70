//! Who follows a load: a person, a program, a log.

use super::log::Log;
use super::progress::{Progress, Style};
use super::record::{Failed, Outcome, Records, DOCUMENT};
use super::{Input, LoadArgs};
use crate::cmd::workspace::{diagnose_load, Reader};
use crate::output::{self, Level};
use crate::text;
use crate::workspace::called;
use crate::workspace::env::Env;
use crate::workspace::load::event::{Event, Warning};
use crate::workspace::load::Stage;
use crate::workspace::plan::{Scope, Setting};
use crate::workspace::refusal::{Code, Refusal};
use anyhow::Result;
use serde_json::json;
use std::ffi::OsStr;
use std::io::{stderr, IsTerminal};

/// The lines below the one that progress has, where nobody says how many.
const LINES: i32 = 3;

/// What that says, likewise.
const USUAL: &str = "default";

/// The variable that says it.
const FORMAT: &str = "TMUXP_PROGRESS_FORMAT";

/// All who follow, and what has come so far.
#[derive(Debug)]
pub struct Followers {
    reader: Reader,
    records: Records,
    progress: Option<Progress>,
    log: Option<Log>,
    index: usize,
    results: Vec<Outcome>,
    failed: Option<(Failed, Refusal)>,
    /// Why a record could not be written.
    unwritten: Option<anyhow::Error>,
    /// What is about no one of the inputs.
    warnings: Vec<Warning>,
}

impl Followers {
    /// As the arguments want it.
    ///
    /// # Errors
    /// When a log cannot be opened, or progress cannot be shown as wanted.
    pub fn new(args: &LoadArgs, reader: Reader, env: &Env) -> Result<Self, Refusal> {
        let progress = progress(args, reader, env)?;
        let log = args.log_file.as_deref().filter(|_| !args.dry_run);
        let log = log.map(|path| Log::open(&env.path(path.as_os_str()))).transpose()?;
        Ok(Self {
            reader,
            records: Records::new(reader),
            progress,
            log,
            index: 0,
            results: Vec::new(),
            failed: None,
            unwritten: None,
            warnings: Vec::new(),
        })
    }

    /// Tells of a document that cannot be read, or of all of them: nothing was done.
    ///
    /// # Errors
    /// That refusal, for a person.
    pub fn refuse(&mut self, refusal: &Refusal, index: Option<usize>) -> Result<u8> {
        self.failed(Failed::before(refusal, index), refusal);
        self.finish()
    }

    /// Whether one has failed.
    pub fn have_seen_failure(&self) -> bool {
        self.failed.is_some()
    }

    /// Something is not as it should be that is about no one of the inputs.
    pub fn warn(&mut self, code: &'static str, message: String) {
        self.note("warning", "warning", json!({ "code": code, "message": message }));
        self.say_warning(&message);
        self.warnings.push(Warning { code, message });
    }

    /// What was told that way.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// All of it begins.
    pub fn start(&mut self, inputs: &[Input]) {
        let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
        self.note("info", "started", json!({ "inputs": names }));
    }

    /// One of them begins.
    pub fn begin(&mut self, index: usize, input: &Input) {
        self.index = index;
        let (session, windows) = (&input.session, &input.session.windows);
        let panes: usize = windows.iter().map(|window| window.panes.len()).sum();
        let fields = json!({
            "input": input.name, "input_index": index, "session_name": session.name,
            "windows": windows.len(), "panes": panes,
        });
        self.note("info", "workspace-started", fields);
        if let Some(progress) = &mut self.progress {
            progress.begin(session);
        }
        for warning in &session.warnings {
            let fields = json!({ "code": DOCUMENT, "message": warning, "input_index": index });
            self.note("warning", "warning", fields);
            self.say_warning(warning);
        }
    }

    /// Tells a person of what is foreseen in a dry run; programs have it beside the documents.
    pub fn foretell(&mut self, inputs: &[Input]) {
        for warning in inputs.iter().flat_map(|input| &input.session.warnings) {
            self.say_warning(warning);
        }
    }

    /// Something happens to it.
    pub fn tell(&mut self, event: &Event<'_>) {
        let told = self.records.tell(self.index, event);
        self.keep(told);
        if let Some(progress) = &mut self.progress {
            progress.tell(event);
        }
        if let Event::Warning(warning) = event {
            self.say_warning(&warning.message);
        }
        if let Some(log) = &mut self.log {
            let (level, name, fields) = super::record::for_log(event);
            log.write(level, name, &fields);
        }
    }

    /// It is done.
    pub fn done(&mut self, outcome: Outcome) {
        self.clear();
        if self.reader == Reader::Human {
            let name = text::clean(&outcome.session_name);
            let line = match (outcome.stage, &outcome.same_windows_as) {
                (_, Some(other)) => format!("{name}: the windows of {}", text::clean(other)),
                (Stage::Reused, _) => format!("{name}: runs already, and is taken as it is"),
                (Stage::Declined, _) => format!("{name}: left alone"),
                _ if outcome.owned_session => format!("{name}: {}", outcome.counts()),
                _ => format!("{name}: {} appended", outcome.counts()),
            };
            let printed = output::print(format!("{line}\n").as_bytes()).map(drop);
            self.keep(printed.map_err(Into::into));
        }
        if matches!(outcome.stage, Stage::Reused | Stage::Declined) {
            let fields = json!({ "input_index": self.index, "session_id": outcome.session_id, "stage": outcome.stage });
            self.note("info", "workspace-completed", fields);
        }
        self.results.push(outcome);
    }

    /// One has failed, or all of them.
    pub fn failed(&mut self, failed: Failed, refusal: &Refusal) {
        self.clear();
        if failed.code == Code::Interrupted {
            let fields = json!({ "input_index": failed.input_index, "effects": failed.effects });
            self.note("error", "interrupted", fields);
        }
        if let Some(log) = &mut self.log {
            log.write(
                "error",
                "failed",
                &json!({ "code": failed.code, "message": failed.message }),
            );
        }
        self.failed = Some((failed, refusal.clone()));
    }

    /// Tells what came of all of it; the exit code.
    ///
    /// # Errors
    /// What has failed, for a person; or when nothing can be written.
    pub fn finish(&mut self) -> Result<u8> {
        let errors: Vec<Failed> = self.failed.iter().map(|(failed, _)| failed.clone()).collect();
        let finished = self.records.finish(&self.results, &errors, &self.warnings);
        self.keep(finished);
        if let Some(why) = self.log.as_ref().and_then(Log::failure) {
            called::warn(&format!("the log could not be written: {why}"));
        }
        if let Some((failed, refusal)) = self.failed.take() {
            let refusal = Refusal {
                message: format!("{}{}", refusal.message, self.what_remains(&failed)),
                ..refusal
            };
            if !self.reader.is_program() {
                return Err(refusal.into());
            }
            let earlier: Vec<_> = self.results.iter().filter_map(|done| done.session_id).collect();
            let retained = json!({
                "completed_sessions": earlier,
                "partial_effects": failed.partial_effects,
                "effects": failed.effects,
            });
            diagnose_load(&refusal, retained);
            return Ok(refusal.code.exit());
        }
        match self.unwritten.take() {
            Some(error) => Err(error),
            None => Ok(0),
        }
    }

    /// What there is of one that has failed, in words.
    fn what_remains(&self, failed: &Failed) -> String {
        let effects = &failed.effects;
        let made = format!(
            "{} and {}",
            text::count(effects.window_ids.len(), "window"),
            text::count(effects.pane_ids.len(), "pane")
        );
        let changed = |done: &Outcome| !done.reused && !done.declined;
        let lives = effects.session_id.filter(|_| !effects.session_removed);
        let mut words = match lives {
            // It says so itself.
            _ if failed.code == Code::SessionGone => String::new(),
            None if effects.session_removed && failed.code == Code::TmuxUnavailable => {
                "; the session that was made for it is gone".to_owned()
            }
            None if effects.session_removed => "; the session that was made for it was removed".to_owned(),
            Some(id) if failed.partial_effects => {
                let name = &failed.session_name;
                format!("; left as it is: session {name} ({id}), with {made} of this file")
            }
            _ if self.results.iter().any(changed) => {
                "; nothing of this file was built, and what was loaded before it stays".to_owned()
            }
            _ => "; nothing was changed".to_owned(),
        };
        if !effects.settings.is_empty() {
            let names: Vec<String> = effects.settings.iter().map(in_words).collect();
            words += &format!("; what it has set stays: {}", names.join(", "));
        }
        words
    }

    fn clear(&mut self) {
        if let Some(progress) = &mut self.progress {
            progress.clear();
        }
    }

    fn say_warning(&mut self, message: &str) {
        if self.reader == Reader::Human {
            self.clear();
            warn(message);
        }
    }

    /// Tells the program and the log.
    fn note(&mut self, level: &str, event: &str, fields: serde_json::Value) {
        if let Some(log) = &mut self.log {
            log.write(level, event, &fields);
        }
        let told = self.records.record(event, fields);
        self.keep(told);
    }

    /// The build goes on, whoever has stopped reading.
    fn keep(&mut self, told: Result<()>) {
        if let Err(error) = told {
            self.unwritten.get_or_insert(error);
        }
    }
}

fn in_words(setting: &Setting) -> String {
    let what = match setting.scope {
        Scope::Session => "option",
        Scope::Server => "server option",
        Scope::Global => "global option",
        Scope::Environment => "variable",
    };
    format!("{what} {}", setting.name)
}

/// How progress is shown, if it is. What the environment says of it and is wrong is told, and passed over; a flag is not.
fn progress(args: &LoadArgs, reader: Reader, env: &Env) -> Result<Option<Progress>, Refusal> {
    let terminal = output::size().unwrap_or(output::Size { columns: 80, rows: 24 });
    let wrong = |token| format!("--progress-format: there is no token {{{token}}}");
    let check = |format: &str| Style::new(format, LINES, terminal).map_err(wrong);
    let flag = args.progress_format.as_deref().filter(|format| !format.is_empty());
    flag.map(check)
        .transpose()
        .map_err(|line| Refusal::new(Code::Usage, line))?;
    let off = args.no_progress
        || reader.is_program()
        || env.text("TMUXP_PROGRESS") == Some("0")
        || env.get("TERM") == Some(OsStr::new("dumb"))
        || !stderr().is_terminal();
    if off {
        return Ok(None);
    }
    let lines = args.progress_lines.or_else(|| lines_of(env)).unwrap_or(LINES);
    let style = |format: &str| Style::new(format, lines, terminal);
    let set = env.text(FORMAT).filter(|format| !format.is_empty());
    let style = style(flag.or(set).unwrap_or(USUAL)).or_else(|token| {
        warn(&format!("{FORMAT}: there is no token {{{token}}}"));
        style(USUAL)
    });
    Ok(style.ok().map(|style| Progress::new(style, terminal)))
}

fn lines_of(env: &Env) -> Option<i32> {
    let set = env.text("TMUXP_PROGRESS_LINES").filter(|lines| !lines.is_empty())?;
    let lines = set.trim().parse().ok().filter(|lines| *lines >= -1);
    if lines.is_none() {
        warn(&format!(
            "TMUXP_PROGRESS_LINES is {set:?}, which is no number from -1 on"
        ));
    }
    lines
}

fn warn(message: &str) {
    if output::is_wanted(Level::Warning, Level::Warning) {
        called::warn(message);
    }
}
