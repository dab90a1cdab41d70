# shellcheck shell=sh
# shellcheck disable=SC2034 # what is set here is for the scripts that read this file
# What the plugin's scripts share; each sets $here, the plugin's folder, before it reads this file.

: "${here:?}"

# Where cargo puts what it builds; scripts/build and the search for the helper must agree on it.
case ${CARGO_TARGET_DIR-} in
'') target=$here/target ;;
/*) target=$CARGO_TARGET_DIR ;;
*) target=$here/$CARGO_TARGET_DIR ;;
esac

# data TEXT: as an argument that tmux takes as data, since it reads a `;` at an argument's end as the end of the command.
data() {
	case $1 in
	*\;) printf '%s' "${1%;}\\;" ;;
	*) printf '%s' "$1" ;;
	esac
}

# ours LISTING: what is ours in the output of show-hooks and `list-keys -T prefix`, and which keys are not, as lines
# `hook NAME[INDEX]`, `key KEY` and `other KEY`.
ours() {
	printf '%s\n' "$1" | LC_ALL=C awk '
		/^[a-z-]+\[91\] .*@tmux-status-bin-resolved/ { print "hook", $1 }
		/^bind-key .*-T prefix / {
			for (i = 1; $i != "prefix"; i++);
			key = $(i + 1)
			if (length(key) > 1) sub(/^\\/, "", key) # tmux writes ; and # as \; and \#
			print (/@tmux-status-|tmux-status\.tmux/ ? "key" : "other"), key
		}'
}

# server_answers: whether a tmux server runs. Asking list-keys starts one, with whatever tmux.conf starts.
server_answers() {
	[ -n "${TMUX-}" ] || tmux show-options -gq @tmux-status-bin >/dev/null 2>&1
}

# say WORDS...: one line a word.
say() {
	printf '%s\n' "$@"
}

# fail WORDS...: the same on standard error, and the end.
fail() {
	say "$@" >&2
	exit 1
}

# find_cargo: sets $cargo. A tmux server that a desktop started often lacks ~/.cargo/bin on its PATH.
find_cargo() {
	cargo=$(command -v cargo) || cargo=${CARGO_HOME:-$HOME/.cargo}/bin/cargo
	[ -x "$cargo" ]
}

need_cargo() {
	find_cargo || fail "tmux-status: cargo is missing, and the helper is built with it." \
		"Get it from https://rustup.rs, or from your system's packages (Rust $(rust_version) or newer)."
}

rust_version() {
	sed -n 's/^rust-version = "\(.*\)"/\1/p' "$here/Cargo.toml"
}

need_tmux() {
	command -v tmux >/dev/null || fail "tmux-status: tmux is missing." \
		"Get it from your system's packages: apt install tmux, dnf install tmux, brew install tmux."
	version=$(tmux -V)
	case $version in
	'tmux '[012].* | 'tmux 3.'[01] | 'tmux 3.'[01][a-z]*) fail "tmux-status: $version is too old: 3.2 or newer is needed." \
		"Newer ones are in your system's backports, in Homebrew, or at https://github.com/tmux/tmux." ;;
	esac
}
