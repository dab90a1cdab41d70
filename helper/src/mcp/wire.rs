//! The wire: one JSON-RPC message a line, in on standard input, out on standard output.
//!
//! It answers by itself what is no request that could be handed on: lines that are too long or no JSON, ids that are too
//! long, methods that nobody knows. None of them ends the connection.

use super::limits::{GRACE, IN_FLIGHT, LINE_BYTES, REQUEST_ID_BYTES};
use crate::output;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcNotification, JsonRpcRequest, NumberOrString,
    RequestId, ServerJsonRpcMessage,
};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{json, Value};
use std::collections::HashSet;
use std::io::{self, BufRead};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use tokio::sync::{mpsc, oneshot, Notify};

/// Lines that are read ahead.
const AHEAD: usize = 64;

/// JSON-RPC's words for what is wrong with a line.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
/// One of those that are left to servers.
const BUSY: i32 = -32000;

/// Methods that are known: what is wrong with a request for one of them is its parameters.
const METHODS: [&str; 14] = [
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "logging/setLevel",
    "notifications/initialized",
];

/// What comes in.
#[derive(Debug)]
pub enum Input {
    /// A line.
    Line(Vec<u8>),
    /// One that was too long to be kept.
    TooLong,
    /// Nothing any more: the client has closed the pipe, or this process is to end.
    End,
}

/// The connection.
#[derive(Debug)]
pub struct Wire {
    lines: mpsc::Receiver<Input>,
    ended: bool,
    out: Arc<Out>,
}

/// A line to be written, and who is told when it was.
type Job = (Vec<u8>, oneshot::Sender<io::Result<()>>);

/// The half that writes.
#[derive(Debug)]
struct Out {
    /// To the thread that writes. It has one of its own, so that no call that blocks can hold up an answer.
    lines: std::sync::mpsc::Sender<Job>,
    /// Requests that want an answer.
    waiting: Mutex<HashSet<RequestId>>,
    /// Told whenever one has got it.
    answered: Notify,
}

impl Wire {
    /// One that reads standard input and writes standard output, each in a thread of its own. The sender ends it, too.
    ///
    /// # Errors
    /// When no thread can be had.
    pub fn open() -> io::Result<(Self, mpsc::Sender<Input>)> {
        let (send, lines) = mpsc::channel(AHEAD);
        let reader = send.clone();
        thread::Builder::new()
            .name("stdin".to_owned())
            .spawn(move || read_lines(io::stdin().lock(), |input| reader.blocking_send(input).is_ok()))?;
        let (jobs, written) = std::sync::mpsc::channel::<Job>();
        thread::Builder::new().name("stdout".to_owned()).spawn(move || {
            for (line, done) in written {
                // Who asked may have gone away meanwhile.
                let _ = done.send(output::print(&line).map(drop));
            }
        })?;
        let out = Out {
            lines: jobs,
            waiting: Mutex::default(),
            answered: Notify::new(),
        };
        let wire = Self {
            lines,
            ended: false,
            out: Arc::new(out),
        };
        Ok((wire, send))
    }

    /// What a line asks for, if it asks for something that can be handed on; else the answer, if it wants one.
    fn understand(&self, line: &[u8]) -> Result<Option<ClientJsonRpcMessage>, Value> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(None);
        }
        let message: Value = serde_json::from_slice(line)
            .map_err(|error| error_line(Value::Null, PARSE_ERROR, &format!("this line is no JSON: {error}")))?;
        let Value::Object(message) = message else {
            let what = "a message is one JSON object a line; batches are not spoken";
            return Err(error_line(Value::Null, INVALID_REQUEST, what));
        };
        let method = message
            .get("method")
            .map(|method| method.as_str().unwrap_or_default().to_owned());
        let id = message.get("id").cloned();
        match (method, id) {
            (Some(method), Some(id)) => self.request(&method, id, Value::Object(message)).map(Some),
            (Some(_), None) => {
                let parsed = serde_json::from_value::<JsonRpcNotification<ClientNotification>>(Value::Object(message));
                // What cannot be understood wants no answer, either.
                Ok(parsed.ok().map(ClientJsonRpcMessage::Notification))
            }
            // Nothing is ever asked of the client, so this answers nothing.
            (None, Some(_)) if message.contains_key("result") || message.contains_key("error") => Ok(None),
            (None, _) => Err(error_line(Value::Null, INVALID_REQUEST, "a message names its method")),
        }
    }

    fn request(&self, method: &str, id: Value, message: Value) -> Result<ClientJsonRpcMessage, Value> {
        // Escapes may make it longer than it is; what counts is how it stands in a line.
        let bytes = serde_json::to_vec(&id).map_or(usize::MAX, |text| text.len());
        if bytes > REQUEST_ID_BYTES {
            let what = format!("an id may take {REQUEST_ID_BYTES} bytes; this one takes {bytes}");
            return Err(error_line(Value::Null, INVALID_PARAMS, &what));
        }
        let Ok(known) = serde_json::from_value::<NumberOrString>(id.clone()) else {
            let what = "an id is a string or a whole number of 64 bits";
            return Err(error_line(Value::Null, INVALID_REQUEST, what));
        };
        let request = serde_json::from_value::<JsonRpcRequest<ClientRequest>>(message).map_err(|_| {
            if METHODS.contains(&method) {
                error_line(
                    id.clone(),
                    INVALID_PARAMS,
                    &format!("the parameters of {method} do not fit"),
                )
            } else {
                error_line(
                    id.clone(),
                    METHOD_NOT_FOUND,
                    &format!("unknown method {:?}", crate::text::one_line(method, 60)),
                )
            }
        })?;
        let mut waiting = self.out.waiting();
        if waiting.len() >= IN_FLIGHT {
            let what = format!("{IN_FLIGHT} requests are under way; try again when one has ended");
            return Err(error_line(id, BUSY, &what));
        }
        if !waiting.insert(known) {
            return Err(error_line(id, INVALID_REQUEST, "a request with this id is under way"));
        }
        Ok(ClientJsonRpcMessage::Request(request))
    }
}

impl Out {
    fn waiting(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        // A set of ids is whole whatever broke off beside it.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a message as a line, and comes back when it was written.
    async fn write(&self, message: &impl serde::Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let (done, written) = oneshot::channel();
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        self.lines.send((line, done)).map_err(|_| gone())?;
        written.await.map_err(|_| gone())?
    }

    /// Whether the answer to that request is still wanted; from now on it is not.
    fn answer(&self, id: &RequestId) -> bool {
        let wanted = self.waiting().remove(id);
        self.answered.notify_waiters();
        wanted
    }
}

impl Transport<RoleServer> for Wire {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl std::future::Future<Output = io::Result<()>> + Send + 'static {
        let id = match &message {
            ServerJsonRpcMessage::Response(response) => Some(&response.id),
            ServerJsonRpcMessage::Error(error) => Some(&error.id),
            _ => None,
        };
        // A client that has withdrawn its request is told nothing.
        let wanted = id.is_none_or(|id| self.out.waiting().contains(id));
        let (id, out) = (id.cloned(), Arc::clone(&self.out));
        async move {
            let written = if wanted { out.write(&message).await } else { Ok(()) };
            if let Some(id) = id {
                out.answer(&id);
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        while !self.ended {
            let message = match self.lines.recv().await {
                Some(Input::Line(line)) => self.understand(&line),
                Some(Input::TooLong) => {
                    let what = format!("a line may take {LINE_BYTES} bytes");
                    Err(error_line(Value::Null, INVALID_REQUEST, &what))
                }
                Some(Input::End) | None => {
                    self.ended = true;
                    break;
                }
            };
            match message {
                Ok(Some(message)) => {
                    if let Some(id) = withdrawn(&message) {
                        self.out.answer(id);
                    }
                    return Some(message);
                }
                Ok(None) => {}
                // Nobody listens any more when this fails, and then the input ends, too.
                Err(answer) => drop(self.out.write(&answer).await),
            }
        }
        // What was asked before the end is answered, unless it takes long.
        let all_answered = async {
            loop {
                let answered = self.out.answered.notified();
                if self.out.waiting().is_empty() {
                    break;
                }
                answered.await;
            }
        };
        let _ = tokio::time::timeout(GRACE, all_answered).await;
        None
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The request that a message withdraws.
fn withdrawn(message: &ClientJsonRpcMessage) -> Option<&RequestId> {
    match message {
        ClientJsonRpcMessage::Notification(JsonRpcNotification {
            notification: ClientNotification::CancelledNotification(cancelled),
            ..
        }) => Some(&cancelled.params.request_id),
        _ => None,
    }
}

fn error_line(id: Value, code: i32, message: &str) -> Value {
    let data = json!({ "kind": "invalid_input", "retryable": code == BUSY, "stale": false });
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message, "data": data } })
}

/// Hands on each line of `input`, and its end; stops when nobody wants more.
fn read_lines(mut input: impl BufRead, mut hand_on: impl FnMut(Input) -> bool) {
    loop {
        let mut line = Vec::new();
        let (mut too_long, mut whole) = (false, false);
        while !whole {
            let bytes = match input.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // What cannot be read is as good as closed.
                Err(_) => &[],
            };
            if bytes.is_empty() {
                break;
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let piece = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
            too_long |= line.len() + piece.len() > LINE_BYTES;
            if too_long {
                line = Vec::new();
            } else {
                line.extend_from_slice(piece);
            }
            let read = piece.len() + usize::from(end.is_some());
            whole = end.is_some();
            input.consume(read);
        }
        let at_end = !whole;
        let last = if too_long { Input::TooLong } else { Input::Line(line) };
        if !hand_on(last) {
            return;
        }
        if at_end {
            hand_on(Input::End);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<String> {
        let mut seen = Vec::new();
        read_lines(io::BufReader::with_capacity(7, input), |input| {
            seen.push(match input {
                Input::Line(line) => String::from_utf8(line).unwrap(),
                Input::TooLong => "too long".to_owned(),
                Input::End => "end".to_owned(),
            });
            true
        });
        seen
    }

    #[test]
    fn lines_are_whole_whatever_pieces_they_come_in() {
        assert_eq!(
            lines(b"one\ntwo is longer\n\nthree"),
            ["one", "two is longer", "", "three", "end"]
        );
        assert_eq!(lines(b""), ["", "end"]);
    }

    #[test]
    fn a_line_that_is_too_long_costs_itself_alone() {
        let mut input = vec![b'x'; LINE_BYTES];
        input.extend(b"\n");
        input.extend(vec![b'x'; LINE_BYTES + 1]);
        input.extend(b"\nnext\n");
        let seen = lines(&input);
        assert_eq!(seen[0].len(), LINE_BYTES);
        assert_eq!(seen[1..], ["too long", "next", "", "end"]);
    }
}
