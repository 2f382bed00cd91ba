# Completion of listing-video for fish. Once:
#   listing-video completion fish > ~/.config/fish/completions/listing-video.fish
function __listing_video_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct)
  for line in ($words[1] __complete -- $words[2..-1] "$word" 2>/dev/null)
    switch $line
      case ':files'
        __fish_complete_path (string replace -r -- '^--[^=]*=' '' "$word")
      case ':folders'
        __fish_complete_directories (string replace -r -- '^--[^=]*=' '' "$word") ''
      case ':none'
      case '*'
        echo $line
    end
  end
end
complete -c listing-video -f -k -a '(__listing_video_complete)'
