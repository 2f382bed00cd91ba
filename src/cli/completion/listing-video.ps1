# Completion of listing-video for PowerShell 5.1 and later. In your profile ($PROFILE):
#   listing-video completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName 'listing-video' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)

  $constant = [System.Management.Automation.Language.StringConstantExpressionAst]
  $typed = @(
    foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
      if ($element.Extent.StartOffset -ge $cursorPosition) { break }
      # Without the quotes of a quoted word.
      if ($element -is $constant) { [string]$element.Value } else { $element.Extent.Text }
    }
  )
  $word = ([string]$wordToComplete).Trim([char[]]@(34, 39))
  # Older versions lose an empty argument, so an option stands for it.
  $start = @('__complete')
  if ($word -eq '') { $start += '--empty-word' }
  elseif ($typed.Count -gt 0) { $typed[-1] = $word }

  $paths = 'none'
  $found = @()
  foreach ($line in & $commandAst.GetCommandName() @start '--' @typed 2>$null) {
    if ($line -match '^:(files|folders|none)$') { $paths = $Matches[1]; continue }
    $value, $about = $line -split "`t", 2
    if (-not $about) { $about = $value }
    # A word that PowerShell would read as code is quoted.
    $text = if ($value -match '^[\w./:=-]+$') { $value } else { "'" + $value.Replace("'", "''") + "'" }
    $found += [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $about)
  }
  if ($paths -ne 'none') {
    # The value of --out=… is the part after the sign.
    $before = if ($word -match '^--[\w-]+=') { $Matches[0] } else { '' }
    $place = $word.Substring($before.Length)
    foreach ($match in [System.Management.Automation.CompletionCompleters]::CompleteFilename($place)) {
      if ($paths -eq 'folders' -and $match.ResultType -ne 'ProviderContainer') { continue }
      $found += [System.Management.Automation.CompletionResult]::new(
        $before + $match.CompletionText, $match.ListItemText, $match.ResultType, $match.ToolTip)
    }
  }
  # Nothing at all would make PowerShell offer files.
  if ($found.Count -eq 0) { '' } else { $found }
}
