import { useEffect, useState } from 'react'

/** Debounces a value: returns the last one that stayed the same for `ms`. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const settleTimer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(settleTimer)
  }, [value, ms])
  return settled
}
