const timeoutMs = 20_000

interface ServerAnswer {
  /** The HTTP status; 0 without an answer: offline, timeout or not JSON. */
  status: number
  body: unknown
}

/** Calls the server; with a body, by POST. */
export async function callServer(path: string, body?: object): Promise<ServerAnswer> {
  // Not AbortSignal.timeout(), which phones of 2021 do not support. Screens of 2018 know no signal, and wait.
  const abortController = 'AbortController' in window ? new AbortController() : null
  const timeoutTimer = setTimeout(() => abortController?.abort(), timeoutMs)
  const postRequest = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  try {
    const signal = abortController && { signal: abortController.signal }
    const response = await fetch(path, { cache: 'no-store', ...signal, ...postRequest })
    return { status: response.status, body: await response.json() }
  } catch {
    return { status: 0, body: null }
  } finally {
    clearTimeout(timeoutTimer)
  }
}

/** The sentence in an error response: `detail`, or the first of its messages. */
export function errorSentence(body: unknown): string {
  const detail = (body as { detail?: string | { msg: string }[] } | null)?.detail // the contract's ErrorBody
  return (typeof detail === 'object' ? detail[0]?.msg : detail) ?? ''
}
