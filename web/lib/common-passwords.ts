import { commonStems, isCommonPassword } from '@keepsnap/contract/common-passwords.ts'
import { useEffect, useState } from 'react'

let loading: Promise<ReadonlySet<string>> | undefined

/** The list is a file of its own, loaded once, when somebody begins to type a password. */
function loadStems(): Promise<ReadonlySet<string>> {
  loading ??= import('@zxcvbn-ts/language-common/src/passwords.json').then(({ default: list }) => commonStems(list))
  loading.catch(() => (loading = undefined))
  return loading
}

/** Whether many people use a password; undefined until that is known. If the list cannot be loaded, no password is common. */
export function useCommonPassword(password: string): boolean | undefined {
  const [stems, setStems] = useState<ReadonlySet<string>>()
  const isTyped = password !== ''
  useEffect(() => {
    if (!isTyped) return
    let isCancelled = false
    const use = (loaded: ReadonlySet<string>): void => {
      if (!isCancelled) setStems(loaded)
    }
    loadStems().then(use, () => use(new Set()))
    return () => {
      isCancelled = true
    }
  }, [isTyped])
  return stems && isCommonPassword(password, stems)
}
