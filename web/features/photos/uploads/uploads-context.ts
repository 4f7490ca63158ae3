import { createContext, use, useSyncExternalStore } from 'react'
import type { UploadsState } from './upload-store.ts'
import type { Uploads } from './uploads.ts'

/** Filled in once somebody is signed in and the queue's code is there. */
export const UploadsContext = createContext<Uploads | null>(null)

export const useUploads = (): Uploads | null => use(UploadsContext)

export const useUploadsState = (uploads: Uploads): UploadsState =>
  useSyncExternalStore(uploads.subscribe, uploads.state)
