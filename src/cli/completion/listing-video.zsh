#compdef listing-video
# Completion of listing-video for zsh. In ~/.zshrc, after compinit:
#   source <(listing-video completion zsh)
# or once: listing-video completion zsh > "${fpath[1]}/_listing-video"
_listing-video() {
  local line paths=none
  local -a typed found
  typed=("${(@Q)words[2,CURRENT]}")
  typed[-1]=${(Q)PREFIX}
  while IFS= read -r line; do
    case $line in
      :*) paths=${line#:} ;;
      *$'\t') found+=("${${line%$'\t'}//:/\\:}") ;;
      *) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done < <("${(Q)words[1]}" __complete -- "${typed[@]}" 2>/dev/null)
  (( ${#found} )) && _describe -V listing-video found
  case $paths in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
if [ "${funcstack[1]}" = _listing-video ]; then
  _listing-video
else
  compdef _listing-video listing-video
fi
