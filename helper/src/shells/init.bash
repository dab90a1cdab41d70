# Tells tmux-status of the commands typed into this bash, by one small file for this shell, with no process of its own at
# any prompt. In ~/.bashrc, after anything else that sets PROMPT_COMMAND:  eval "$(tmux-status init bash)"
# For bash 3.2 and newer. Builtins are quoted and named as such, so that no alias or function of the same name counts.

# First of the prompt's commands: what was typed has ended. Leaves `$?` as it was for those that follow.
__tmux_status_ended() {
	\builtin local code="$?" began="${__tmux_status_began-}" number="${HISTCMD-0}" last="${__tmux_status_number-}"
	\builtin local kept="${__tmux_status_kept-}" status took=- text='' sure='' hook
	\builtin local now="${EPOCHREALTIME-${SECONDS-0}000000}"
	status=$code __tmux_status_began='' __tmux_status_number=$number __tmux_status_kept=''
	if [[ -o history ]]; then
		__tmux_status_kept=1
	fi
	# An empty line, or one given up with Ctrl-C, is no command.
	if [[ ${PS0-} == *"__tmux_status_began="* ]]; then
		[[ -n $began ]] || \return "$code"
	elif [[ -z $last || $number == "$last" && $code == "${__tmux_status_code-}" ]]; then
		__tmux_status_code=$code
		\return "$code"
	elif [[ $number == "$last" ]]; then
		# Perhaps a command that history does not keep, perhaps none.
		status=-
	fi
	__tmux_status_code=$code
	# What stands before us in the same string may have changed `$?`. Called by another function, we are told the right one.
	for hook in "${PROMPT_COMMAND[@]-}"; do
		if [[ $hook == __tmux_status_ended* ]]; then
			sure=1
		fi
	done
	if [[ -z $sure && ${#FUNCNAME[@]} -le 1 ]]; then
		status=-
		# Once: two that both want to be first must not make it longer for ever. Where we stand twice, the second finds
		# nothing to do.
		if [[ -z ${__tmux_status_moved-} && -n $began ]]; then
			__tmux_status_moved=1
			__tmux_status_first
		fi
	fi
	# The command is the newest of the history, unless that did not keep it, as with a leading blank: then it is no
	# business of a file either. Only where nothing is ignored for its text, the same number is the same command.
	if [[ -n $kept && -n ${__tmux_status_kept} ]]; then
		if [[ -n $last && $number -eq $((last + 1)) ]]; then
			text=1
		elif [[ -n $began && $number == "$last" && -z ${HISTIGNORE-} ]] &&
			[[ :${HISTCONTROL-}: != *:ignorespace:* && :${HISTCONTROL-}: != *:ignoreboth:* ]]; then
			text=1
		fi
	fi
	case $began in
	*[!0-9]* | '') ;;
	*) took=$(((${now/[^0-9]/} - began) / 1000)) ;;
	esac
	__tmux_status_say ended "$status" "$took" "$text"
	\return "$code"
} 2>/dev/null

# Writes the record: a line, the command as `history` shows it, and the same line, which shows that it is whole.
__tmux_status_say() {
	\builtin local line="tmux-status 1 bash $$ $1 $2 $3"
	if [[ ! -f $__tmux_status_file ]]; then
		(\builtin umask 077 && : >|"$__tmux_status_file")
	fi
	# Emptied first: ext4 takes milliseconds to close a file that was emptied and written in one go, as it then sees to the
	# disk at once.
	: >|"$__tmux_status_file"
	{
		\builtin printf '%s\n' "$line"
		if [[ -z $4 ]]; then
			:
		elif [[ -n ${HISTTIMEFORMAT+set} ]]; then
			HISTTIMEFORMAT='' \builtin history 1
		else
			# Setting it would change how the history's file is written.
			\builtin history 1
		fi
		\builtin printf '%s\n' "$line"
	} >>"$__tmux_status_file"
} 2>/dev/null

# Puts us before what the prompt's commands are. `&& :` keeps a failure's status and does not end a shell with `set -e`.
# Where it may be a list, ours is an item of its own: then those after it see `PIPESTATUS` as it was, too.
__tmux_status_first() {
	if [[ ${BASH_VERSINFO[0]}${BASH_VERSINFO[1]} -ge 51 ]]; then
		PROMPT_COMMAND=('__tmux_status_ended && :' ${PROMPT_COMMAND[@]+"${PROMPT_COMMAND[@]}"})
	else
		# shellcheck disable=SC2128,SC2178
		PROMPT_COMMAND="__tmux_status_ended && :${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}"
	fi
	# A shell started from this one would not know our function.
	\builtin export -n PROMPT_COMMAND
}

__tmux_status_load() {
	\builtin local server="${TMUX-}" pane="${TMUX_PANE-}" state="${XDG_STATE_HOME-}" clock
	[[ -n ${BASH_VERSION-} && $- == *i* && $server == *,*,* && $pane == %* ]] || \return 0
	server=${server%,*} server=${server##*,} pane=${pane#%}
	[[ -n $server && $server != *[!0-9]* && -n $pane && $pane != *[!0-9]* ]] || \return 0
	# shellcheck disable=SC2030,SC2031
	if \builtin shopt -q restricted_shell || ! (PROMPT_COMMAND='') || ! (PS0=''); then
		\return 0
	fi
	[[ $state == /* ]] || state=${HOME-}/.local/state
	[[ $state == /* ]] || \return 0
	state=$state/thegrid/tmux-status.shells
	if [[ ! -d $state ]]; then
		(\builtin umask 077 && \builtin command mkdir -p -- "$state")
	fi
	# A folder that is another user's is not to be written into, as after `su`.
	[[ -d $state && -O $state && -w $state ]] || \return 0
	# Again in the same shell: what it has noted stays.
	if [[ ${__tmux_status_file-} != "$state/$server.$pane.$$" ]]; then
		__tmux_status_file=$state/$server.$pane.$$
		__tmux_status_began='' __tmux_status_number='' __tmux_status_kept='' __tmux_status_moved=''
		# The history is read after ~/.bashrc: while there is none, nothing was typed.
		if [[ ${HISTCMD-2} -le 1 ]]; then
			__tmux_status_say fresh - - ''
		fi
	fi
	# PS0 is expanded when a command was read, which tells when it begins, without a DEBUG trap: the index of an item that
	# does not exist is worked out all the same. It prints nothing.
	# shellcheck disable=SC2016
	clock='${EPOCHREALTIME/[^0-9]/}'
	# shellcheck disable=SC2016
	[[ -n ${EPOCHREALTIME-} ]] || clock='${SECONDS}000000'
	# shellcheck disable=SC2031
	if [[ ${BASH_VERSINFO[0]}${BASH_VERSINFO[1]} -ge 44 && ${PS0-} != *__tmux_status_began=* ]] && \builtin shopt -q promptvars; then
		# shellcheck disable=SC2016,SC2031
		PS0="${PS0-}"'${__tmux_status_none[__tmux_status_began='"$clock"',0]-}'
	fi
	# shellcheck disable=SC2031
	case $'\n'${PROMPT_COMMAND[*]-} in
	*__tmux_status_ended*) ;;
	*) __tmux_status_first ;;
	esac
} 2>/dev/null

__tmux_status_load && :
\builtin unset -f __tmux_status_load
