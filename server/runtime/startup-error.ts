/** A startup failure that the operator can fix. The message consists of whole sentences; the stack is not shown. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** The `code` of a failed system call, such as ENOENT; empty for any other error. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
