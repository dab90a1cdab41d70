#!/usr/bin/env bash
# Loads tmux-status into the tmux server that runs this file, which tmux.conf or TPM do at every (re)load.
#
# tmux waits for it, so: two tmux calls (one reads, one writes), nothing is built here, and nothing is printed, since
# output of a run-shell opens view-mode over the user's pane.

# What this file and the helper must agree on; PROTOCOL in helper/src/cli.rs is its twin.
PROTOCOL=1

here=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd) || exit 0
# shellcheck source=scripts/common.sh
. "$here/scripts/common.sh" || exit 0

main() {
	server_answers || return
	# Paths reach tmux as the values of options only, never within a command. list-keys comes last: without a prefix table
	# it fails, which drops what follows.
	told=$(tmux -u set-option -g @tmux-status-source "$(data "$here")" \; \
		display-message -p 'version #{version}' \; \
		display-message -p '@tmux-status-bin #{@tmux-status-bin}' \; \
		display-message -p '@tmux-status-key #{@tmux-status-key}' \; \
		display-message -p '@tmux-status-dashboard-key #{@tmux-status-dashboard-key}' \; \
		display-message -p '@tmux-status-next-key #{@tmux-status-next-key}' \; \
		display-message -p '@tmux-status-autobuild #{@tmux-status-autobuild}' \; \
		show-hooks -g \; show-hooks -gw \; list-keys -T prefix 2>/dev/null)
	[ -n "$told" ] || return # no server, or no tmux
	case $(option version) in
	1.* | 2.* | 3.0* | 3.1*)
		tmux set-option -gu @tmux-status-source \; display-message "tmux-status needs tmux 3.2 or newer"
		return
		;;
	esac
	if find_helper; then
		load
	else
		offer_to_build
	fi
}

# option NAME: its value, out of what was read.
option() {
	local rest=${told#*"$1 "}
	printf '%s' "${rest%%$'\n'*}"
}

# Sets $helper to the first helper that speaks our protocol, or $wrong to why there is none.
find_helper() {
	local candidate answer
	wrong='is not built yet'
	for candidate in "$(option @tmux-status-bin)" "$target/release/tmux-status" \
		"${CARGO_HOME:-$HOME/.cargo}/bin/tmux-status" "$(command -v tmux-status)"; do
		if [ ! -f "$candidate" ] || [ ! -x "$candidate" ]; then continue; fi
		# The time limit is for a foreign program of that name on PATH, such as a script that loops for a status line.
		answer=
		IFS= read -r -t 2 answer < <(exec "$candidate" --protocol </dev/null 2>/dev/null)
		[ "$answer" = "$PROTOCOL" ] && helper=$candidate && return
		case $answer in
		'' | *[!0-9]*) ;;
		*) wrong='belongs to another version of the plugin' ;;
		esac
	done
	return 1
}

# The helper sets hooks and keys in one tmux call and starts the first refresh in the background.
load() {
	printf '%s\n' "$told" | "$helper" plugin load --bin "$helper" >/dev/null 2>&1 ||
		tmux display-message 'tmux-status did not load completely; "tmux-status doctor" says why' >/dev/null 2>&1
}

# Without a helper there are no hooks, so that no event costs a shell that finds nothing to run. The key says what is
# wrong and offers to build.
offer_to_build() {
	local write key chosen kind name
	write=(set-option -gu @tmux-status-bin-resolved)
	chosen=$(option @tmux-status-key)
	key=${chosen:-M-r}
	while read -r kind name; do
		case $kind in
		hook) write+=(\; set-hook -gu "$name") ;;
		key) [ "$name" = "$key" ] || write+=(\; unbind-key -T prefix -- "$(data "$name")") ;;
		# A default never replaces a binding; a key that the user chose always does.
		other) [ "$name" = "$key" ] && [ -z "$chosen" ] && key=none ;;
		esac
	done < <(ours "$told")
	if [ "$(option @tmux-status-autobuild)" = on ]; then
		write+=(\; run-shell -b "#{q:@tmux-status-source}/scripts/build --window -d >/dev/null 2>&1 || :")
	fi
	# Last, since a key that tmux does not know ends the sequence. The message is seen when tmux.conf is sourced again or
	# a plugin manager has just updated us; at the start of tmux there is nobody to read it yet.
	if [ "$key" != none ]; then
		# Within braces, since tmux 3.3 expands formats in a confirm-before's string before it parses it.
		write+=(\; bind-key -T prefix -- "$(data "$key")"
			"confirm-before -p 'tmux-status: its helper $wrong. Build it now? (y/n)' {
				run-shell -b \"#{q:@tmux-status-source}/scripts/build --window '#{session_id}' >/dev/null 2>&1 || :\" }"
			\; display-message "tmux-status: its helper $wrong; the refresh key offers to build it")
	fi
	tmux -u "${write[@]}" >/dev/null 2>&1
}

main >/dev/null 2>&1
exit 0
