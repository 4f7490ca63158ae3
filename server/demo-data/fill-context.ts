import type { Dependencies } from '../dependencies.ts'
import type { HttpServer } from '../http/http-types.ts'
import type { PasswordHashing } from '../features/accounts/passwords.ts'

/** The maximum number of photos of each evening, and the factor by which they are scaled (1: full size). */
export interface DemoSize {
  photosPerEvening: number
  scale: number
}

/** What the steps of filling an instance share. */
export interface FillContext {
  deps: Dependencies
  /** The API of this process. */
  http: HttpServer
  publicUrl: string
  /** Resolves when all uploaded photos have been processed. */
  waitUntilProcessed: () => Promise<void>
  /** Aborts when the operator stops the command. */
  signal: AbortSignal
  /** Prints progress for the operator. */
  reportProgress: (progress: string) => void
  /** Fewer and smaller photos, for tests. */
  size?: DemoSize
  passwordHashing?: Partial<PasswordHashing>
}
