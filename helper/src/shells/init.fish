# Tells tmux-status of the commands typed into this fish, by one small file for this shell, with no process of its own at
# any prompt. In ~/.config/fish/config.fish:  tmux-status init fish | source
# Builtins are named as such, so that no function of the same name counts.

# A command begins: $argv[1] as typed.
function __tmux_status_preexec --on-event fish_preexec
    builtin set -g __tmux_status_text ''
    # What this shell does not keep in its history is no business of a file either. Where a function decides that, it is
    # not to be asked twice.
    if builtin test -z "$fish_private_mode"
        and not builtin string match -q -- ' *' "$argv[1]"
        and not builtin functions -q fish_should_add_to_history
        builtin set -g __tmux_status_text "$argv[1]"
    end
    __tmux_status_say running - -
end

# It has ended.
function __tmux_status_postexec --on-event fish_postexec
    builtin set -l ended $status
    builtin set -l took -
    builtin test -n "$CMD_DURATION"; and builtin set took $CMD_DURATION
    __tmux_status_say ended $ended $took
end

# Writes the record: a line, the command, and the same line, which shows that it is whole.
function __tmux_status_say
    builtin test -n "$__tmux_status_file"; or builtin return
    if not builtin test -f "$__tmux_status_file"
        builtin test -w "$__tmux_status_folder"; or builtin return
        builtin set -l before $umask
        builtin set -g umask 0077
        builtin echo -n >$__tmux_status_file
        builtin set -g umask $before
    end
    builtin test -w "$__tmux_status_file"; or builtin return
    builtin set -l line "tmux-status 1 fish $fish_pid $argv"
    # Emptied first: ext4 takes milliseconds to close a file that was emptied and written in one go, as it then sees to the
    # disk at once.
    builtin echo -n >$__tmux_status_file
    # On a full disk fish itself complains, whatever is redirected: so this is tried no more.
    builtin printf '%s\n%.2000s\n%s\n' $line "$__tmux_status_text" $line >>$__tmux_status_file
    or builtin set -g __tmux_status_file ''
end

function __tmux_status_load
    builtin status is-interactive; or builtin return
    builtin set -l server (builtin string replace -rf '^.*,([0-9]+),[^,]*$' '$1' -- "$TMUX")
    builtin set -l pane (builtin string replace -rf '^%([0-9]+)$' '$1' -- "$TMUX_PANE")
    builtin test -n "$server" -a -n "$pane"; or builtin return
    builtin set -l state "$XDG_STATE_HOME"
    builtin string match -q -- '/*' "$state"; or builtin set state "$HOME/.local/state"
    builtin string match -q -- '/*' "$state"; or builtin return
    builtin set state $state/thegrid/tmux-status.shells
    builtin test -d "$state"; or command mkdir -p -m 700 -- "$state" 2>/dev/null
    # A folder that is another user's is not to be written into, as after `su`.
    builtin test -d "$state" -a -O "$state" -a -w "$state"; or builtin return
    # Again in the same shell: what it has noted stays.
    builtin test "$__tmux_status_file" = "$state/$server.$pane.$fish_pid"; and builtin return
    builtin set -g __tmux_status_folder $state
    builtin set -g __tmux_status_file $state/$server.$pane.$fish_pid
    builtin set -g __tmux_status_text ''
    __tmux_status_say fresh - -
end

__tmux_status_load
builtin functions -e __tmux_status_load
