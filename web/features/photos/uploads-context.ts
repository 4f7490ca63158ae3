import { createContext, use, useSyncExternalStore } from 'react'
import type { UploadsState } from './upload-store.ts'
import type { Uploads } from './uploads.ts'

/** Null until a user is signed in and the code of the upload queue is loaded. */
export const UploadsContext = createContext<Uploads | null>(null)

export const useUploads = (): Uploads | null => use(UploadsContext)

export const useUploadsState = (uploads: Uploads): UploadsState =>
  useSyncExternalStore(uploads.subscribe, uploads.state)
