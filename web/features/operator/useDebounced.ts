import { useEffect, useState } from 'react'

/** The value as it was once it has not changed for this time. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const settleTimer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(settleTimer)
  }, [value, ms])
  return settled
}
