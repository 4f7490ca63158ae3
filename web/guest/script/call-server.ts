const timeoutMs = 20_000

interface Answer {
  /** The HTTP status; 0 without an answer: offline, timeout or not JSON. */
  status: number
  body: unknown
}

/** Calls the server; with a body, by POST. */
export async function callServer(path: string, body?: object): Promise<Answer> {
  // Not AbortSignal.timeout(), which phones of 2021 do not support.
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), timeoutMs)
  const post = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  try {
    const answer = await fetch(path, { cache: 'no-store', signal: abort.signal, ...post })
    return { status: answer.status, body: await answer.json() }
  } catch {
    return { status: 0, body: null }
  } finally {
    clearTimeout(timer)
  }
}

/** The sentence in an error response: `detail`, or the first of its messages (docs/behaviour.md section 12). */
export function errorSentence(body: unknown): string {
  const detail = (body as { detail?: string | { msg: string }[] } | null)?.detail // the contract's ErrorBody
  return (typeof detail === 'object' ? detail[0]?.msg : detail) ?? ''
}
