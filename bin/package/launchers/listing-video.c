/*
 * "Listing Video.exe": opens the studio without a console. Why it does not start is shown in a window. It starts the Node of its folder,
 * in the folder of the user.
 */
#include <windows.h>
#include <wchar.h>

#define TEXT_BYTES 4000
#define WORDS 32768

static const wchar_t TITLE[] = L"Listing Video";
static char said[TEXT_BYTES + 1];
static wchar_t shown[TEXT_BYTES + 1];
static wchar_t folder[WORDS];
static wchar_t words[2 * WORDS];
static wchar_t home[WORDS];

static int show(const wchar_t *text, int status) {
  MessageBoxW(NULL, text, TITLE, MB_OK | MB_ICONERROR);
  return status;
}

/* The beginning of what the program says; the rest is read too, so that it never waits. */
static void readAll(HANDLE pipe) {
  char more[512];
  DWORD length = 0, count = 0;
  while (ReadFile(pipe, more, sizeof more, &count, NULL) && count > 0) {
    for (DWORD at = 0; at < count && length < TEXT_BYTES; at++) said[length++] = more[at];
  }
}

int WINAPI wWinMain(HINSTANCE self, HINSTANCE none, PWSTR given, int how) {
  (void)self, (void)none, (void)given, (void)how;
  DWORD length = GetModuleFileNameW(NULL, folder, WORDS);
  if (length == 0 || length >= WORDS) return show(L"The folder of the program has too long a name.", 1);
  *wcsrchr(folder, L'\\') = 0;
  swprintf(words, 2 * WORDS, L"\"%ls\\node\\node.exe\" \"%ls\\app\\bin\\listing-video.js\" studio", folder, folder);
  DWORD homeLength = GetEnvironmentVariableW(L"USERPROFILE", home, WORDS);

  SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
  HANDLE readEnd, writeEnd;
  if (!CreatePipe(&readEnd, &writeEnd, &inherited, 0)) return show(L"Windows gives no pipe.", 1);
  SetHandleInformation(readEnd, HANDLE_FLAG_INHERIT, 0);
  HANDLE nothing = CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                               OPEN_EXISTING, 0, NULL);
  STARTUPINFOW start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
  start.hStdInput = start.hStdOutput = nothing;
  start.hStdError = writeEnd;
  PROCESS_INFORMATION process;
  const wchar_t *from = homeLength > 0 && homeLength < WORDS ? home : NULL;
  if (!CreateProcessW(NULL, words, NULL, NULL, TRUE, CREATE_NO_WINDOW, NULL, from, &start, &process)) {
    return show(L"The folder is not complete. Unpack the whole file, then start the program from the unpacked folder.", 1);
  }
  CloseHandle(writeEnd);
  readAll(readEnd);
  DWORD status = 1;
  WaitForSingleObject(process.hProcess, INFINITE);
  GetExitCodeProcess(process.hProcess, &status);
  if (status != 0 && said[0] != 0 && MultiByteToWideChar(CP_UTF8, 0, said, -1, shown, TEXT_BYTES + 1) > 0) {
    return show(shown, (int)status);
  }
  return (int)status;
}
