/** A start that cannot go on for a reason the operator can change. The message is whole sentences for a person, no stack needed. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem'
}

/** The `code` of a failed system call, such as ENOENT; empty for any other error. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
