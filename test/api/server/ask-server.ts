/** Requests to a server that listens, as `fetch` makes them. */

// biome-ignore lint/suspicious/noExplicitAny: documents of many shapes, looked at piece by piece.
export type AnyJson = any;

export async function ask(url: string, init?: RequestInit): Promise<{ status: number; json: AnyJson }> {
  const response = await fetch(url, init);
  return { status: response.status, json: await response.json() };
}

/** Submits a listing. */
export function post(api: string, listing: AnyJson, headers: Readonly<Record<string, string>> = {}) {
  return ask(`${api}/v1/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(listing),
  });
}

export const readTask = async (api: string, id: string): Promise<AnyJson> =>
  (await ask(`${api}/v1/tasks/${id}`)).json;

/** The task, once it has ended. */
export async function endOf(api: string, id: string): Promise<AnyJson> {
  for (;;) {
    const task = await readTask(api, id);
    if (['SUCCEEDED', 'FAILED'].includes(task.state)) return task;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
