import type { Dependencies } from '../dependencies.ts'
import type { HttpServer } from '../http/http-types.ts'
import type { PasswordHashing } from '../features/accounts/passwords.ts'

/** How many photos of each evening at most, and how large they are; 1 is the full size. */
export interface DemoSize {
  photosPerEvening: number
  scale: number
}

/** What filling an instance works with. */
export interface Filling {
  deps: Dependencies
  /** The API of this process. */
  http: HttpServer
  publicUrl: string
  /** Resolves when the photos that were uploaded are processed. */
  untilProcessed: () => Promise<void>
  /** Aborts when the operator stops the command. */
  signal: AbortSignal
  /** Shows the operator how far it is. */
  reportProgress: (progress: string) => void
  /** Fewer and smaller photos, for tests. */
  size?: DemoSize
  passwordHashing?: Partial<PasswordHashing>
}
