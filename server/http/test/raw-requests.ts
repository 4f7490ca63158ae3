import { rawConnection, type RawAnswer } from '../../test/raw-connection.ts'

/** A raw HTTP request with the Host that test servers accept; `first` is the request line. */
export const rawRequest = (first: string, ...headers: string[]): string =>
  [first, 'Host: photos.test', ...headers, '\r\n'].join('\r\n')

/** Sends bytes to a server, and resolves with its first answer. */
export async function exchange(address: string, bytes: string): Promise<RawAnswer> {
  const connection = await rawConnection(address)
  await connection.write(bytes)
  const [answer] = await connection.next(1)
  connection.close()
  return answer! // next(1) resolves with one answer
}

/** The code of a refusal. */
export const codeOf = ({ body }: RawAnswer): unknown => (JSON.parse(body.toString()) as { code?: unknown }).code // one field is read
