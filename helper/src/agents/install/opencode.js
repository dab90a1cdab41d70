// Tells tmux-status what OpenCode is doing. Written by `tmux-status agents install opencode`, which also updates it;
// `tmux-status agents uninstall opencode` removes it.
import { spawn } from "node:child_process"

const HELPER = "{helper}"

const words = (from, keys) =>
  Object.fromEntries(
    keys.filter((key) => typeof from?.[key] === "string").map((key) => [key, from[key].slice(0, 500)]),
  )

const OBJECTS = ["command", "filePath", "path", "pattern", "query", "url", "description"]

// What of each event matters; a session that is idle says so twice.
const TOLD = {
  "session.status": ({ status }) => ["busy", "retry"].includes(status?.type) && { status: words(status, ["type", "message"]) },
  "session.idle": () => ({}),
  "session.error": ({ error }) => ({
    error: { ...words(error, ["name"]), data: words(error?.data, ["message"]) },
  }),
  "permission.asked": ({ permission, patterns, metadata }) => ({
    permission,
    patterns: (patterns ?? []).slice(0, 1),
    metadata: words(metadata, OBJECTS),
  }),
  "permission.replied": () => ({}),
  "question.asked": ({ questions }) => ({
    questions: (questions ?? []).slice(0, 1).map((asked) => words(asked, ["question", "header"])),
  }),
  "question.replied": () => ({}),
  "question.rejected": () => ({}),
}

export const TmuxStatus = async () => {
  if (!process.env.TMUX || !process.env.TMUX_PANE) return {}
  // Sessions of subagents: their end is not the end of the turn.
  const inner = new Set()
  // Sessions whose turn has failed: they become idle, too, and have said more already.
  const failed = new Set()
  let last = ""
  // One at a time, in order.
  let queue = Promise.resolve()

  const run = (message) =>
    new Promise((done) => {
      try {
        const child = spawn(HELPER, ["report", "--hook", "opencode"], {
          stdio: ["pipe", "ignore", "ignore"],
          timeout: 5000,
        })
        child.on("error", done)
        child.on("close", done)
        child.stdin.on("error", () => {})
        child.stdin.end(message)
      } catch {
        done()
      }
    })

  const tell = (event) => {
    const message = JSON.stringify(event)
    if (message === last) return
    last = message
    queue = queue.then(() => run(message))
  }

  return {
    event: async ({ event }) => {
      const { type, properties = {} } = event
      const { info, sessionID } = properties
      if (type.startsWith("session.") && info?.parentID) inner.add(info.id)
      if (type.startsWith("session.") && inner.has(sessionID)) return
      const told = TOLD[type]?.(properties)
      if (!told) return
      if (type === "session.error") failed.add(sessionID)
      if (type === "session.status") failed.delete(sessionID)
      if (type === "session.idle" && failed.has(sessionID)) return
      tell({ type, properties: told })
    },
    "tool.execute.before": async (input, output) => {
      tell({ type: "tool.execute.before", tool: input.tool, args: words(output?.args, OBJECTS) })
    },
    "tool.execute.after": async () => {
      tell({ type: "tool.execute.after" })
    },
  }
}
