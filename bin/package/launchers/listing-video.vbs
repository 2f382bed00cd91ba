' Opens the studio without a console. Why it does not start is shown in a window.
Option Explicit
Dim shell, files, folder, problem, words, status
Set shell = CreateObject("WScript.Shell")
Set files = CreateObject("Scripting.FileSystemObject")
folder = files.GetParentFolderName(WScript.ScriptFullName)
problem = files.BuildPath(files.GetSpecialFolder(2), files.GetTempName())
shell.CurrentDirectory = shell.ExpandEnvironmentStrings("%USERPROFILE%")
words = """" & folder & "\node\node.exe"" """ & folder & "\app\bin\listing-video.js"" studio"
status = shell.Run("cmd /c """ & words & " 2>""" & problem & """""", 0, True)
If status <> 0 And files.FileExists(problem) Then
  If files.GetFile(problem).Size > 0 Then MsgBox files.OpenTextFile(problem).ReadAll(), 16, "Listing Video"
End If
If files.FileExists(problem) Then files.DeleteFile problem
WScript.Quit status
