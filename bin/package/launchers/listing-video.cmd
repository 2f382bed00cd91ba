@"%~dp0node\node.exe" "%~dp0app\bin\listing-video.js" %*
