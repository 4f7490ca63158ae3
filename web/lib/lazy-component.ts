import { lazy, type ComponentType } from 'react'

let loading = 0

/** Number of lazy components that are being loaded. */
export const loadingComponentCount = (): number => loading

/** `React.lazy` that counts pending loads: the server-rendered page stays on the screen until they have finished. */
export const lazyComponent = <Name extends string, Props extends object>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType<Props>>>,
) =>
  lazy(async () => {
    loading += 1
    try {
      return { default: (await load())[name] }
    } finally {
      loading -= 1
    }
  })
