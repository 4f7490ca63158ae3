import { useEffect } from 'react'
import { useText } from './i18n.tsx'
import { frame } from '../messages/en/frame.ts'

/** Sets the title of the document. */
export function usePageTitle(title: string): void {
  const { documentTitle } = useText({ frame })
  useEffect(() => {
    document.title = documentTitle(title)
  }, [title, documentTitle])
}
