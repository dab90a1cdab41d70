# Tells tmux-status of the commands typed into this zsh, by one small file for this shell, with no process of its own at
# any prompt. In ~/.zshrc:  eval "$(tmux-status init zsh)"
# Builtins are quoted and named as such, so that no alias or function of the same name counts.

# A command begins: $1 as typed, $3 with its aliases expanded.
__tmux_status_preexec() {
	# What this shell does not keep in its history is no business of a file either. That goes by its own options.
	__tmux_status_began=0 __tmux_status_text=''
	if [[ -z $1 || -o hist_ignore_space && ( $1 == ' '* || $3 == ' '* ) ]]; then
		:
	elif [[ -n ${HISTORY_IGNORE-} && $1 == ${~HISTORY_IGNORE-} ]]; then
		:
	elif [[ -n ${zshaddhistory_functions-} ]] || \builtin typeset -f zshaddhistory >/dev/null; then
		# A function decides, and is not to be asked twice.
		:
	else
		__tmux_status_text=$1
	fi
	\builtin emulate -L zsh
	\builtin setopt no_err_exit no_err_return no_xtrace
	__tmux_status_text=${__tmux_status_text[1,2000]}
	__tmux_status_began=${EPOCHREALTIME-$SECONDS}
	__tmux_status_say running - -
}

# Before a prompt: what was typed has ended.
__tmux_status_precmd() {
	\builtin local ended="$?"
	\builtin emulate -L zsh
	\builtin setopt no_err_exit no_err_return no_xtrace
	# An empty line, or one given up with Ctrl-C, is no command.
	[[ -n $__tmux_status_began ]] || \return 0
	\builtin local -i took="(${EPOCHREALTIME-$SECONDS} - $__tmux_status_began) * 1000"
	__tmux_status_began=''
	__tmux_status_say ended $ended $took
}

# Writes the record: a line, the command, and the same line, which shows that it is whole. Nothing is redirected where zsh
# itself calls a function, as it does those above.
__tmux_status_say() {
	\builtin local line="tmux-status 1 zsh $$ $1 $2 $3"
	[[ -f $__tmux_status_file ]] || ( \builtin umask 077; : >|$__tmux_status_file )
	# Emptied first: ext4 takes milliseconds to close a file that was emptied and written in one go, as it then sees to the
	# disk at once.
	: >|$__tmux_status_file
	\builtin print -r -- "$line"$'\n'"$__tmux_status_text"$'\n'"$line" >>$__tmux_status_file
} 2>/dev/null

__tmux_status_load() {
	\builtin emulate -L zsh
	\builtin setopt no_err_exit no_err_return no_xtrace
	\builtin local state=$XDG_STATE_HOME startup=$1
	[[ -o interactive && ! -o restricted && $TMUX == *,<->,* && $TMUX_PANE == %<-> ]] || \return 0
	[[ $state == /* ]] || state=$HOME/.local/state
	[[ $state == /* ]] || \return 0
	state=$state/thegrid/tmux-status.shells
	[[ -d $state ]] || ( \builtin umask 077; \builtin command mkdir -p -- $state )
	# A folder that is another user's is not to be written into, as after `su`.
	[[ -d $state && -O $state && -w $state ]] || \return 0
	# Again in the same shell: what it has noted stays.
	state=$state/${${TMUX%,*}##*,}.${TMUX_PANE#%}.$$
	if [[ $__tmux_status_file != $state ]]; then
		\builtin typeset -g __tmux_status_file=$state __tmux_status_began='' __tmux_status_text=''
		\builtin zmodload zsh/datetime
		# Read by hand at a prompt, something was typed.
		[[ $startup == toplevel* ]] || __tmux_status_say fresh - -
	fi
	\builtin typeset -ga preexec_functions precmd_functions
	preexec_functions=(__tmux_status_preexec ${preexec_functions:#__tmux_status_preexec})
	precmd_functions=(__tmux_status_precmd ${precmd_functions:#__tmux_status_precmd})
} 2>/dev/null

__tmux_status_load "${ZSH_EVAL_CONTEXT-}"
\builtin unset -f __tmux_status_load
