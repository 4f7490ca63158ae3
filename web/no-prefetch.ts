/**
 * Replaces a module of React Router in the build of the app: only its framework mode loads pages before a link to them is
 * followed, and the first page would contain the code for that.
 */
import type { Ref } from 'react'

export const usePrefetchBehavior = (): [boolean, null, object] => [false, null, {}]
export const mergeRefs = <T>(ref: Ref<T>): Ref<T> => ref
export const PrefetchPageLinks = (): null => null
/** Used by what this app does not contain; a build that contains it fails. */
export const FrameworkContext = undefined
