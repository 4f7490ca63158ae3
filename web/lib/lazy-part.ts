import { lazy, type ComponentType } from 'react'

let loading = 0

/** Number of parts that are being loaded. */
export const loadingParts = (): number => loading

/** A component in a chunk of its own. What the server has rendered stays on the screen until such parts have loaded. */
export const lazyPart = <Name extends string, Props extends object>(
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
