/**
 * Stub for a module of React Router in the build of the app: only its framework mode prefetches pages, and the first
 * page would contain the code for that.
 */
import type { Ref } from 'react'

export const usePrefetchBehavior = (): [boolean, null, object] => [false, null, {}]
export const mergeRefs = <T>(ref: Ref<T>): Ref<T> => ref
export const PrefetchPageLinks = (): null => null
/** Used only by components that this app does not contain. */
export const FrameworkContext = undefined
