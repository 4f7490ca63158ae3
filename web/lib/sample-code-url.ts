import { sampleCodePath, type SampleName } from '@keepsnap/contract/samples.ts'
import { useCallback } from 'react'
import { useApi } from './app-services.tsx'

/** Returns the URL of a sample picture's QR code, as SVG. The API draws it, which may have another origin than the page. */
export function useSampleCodeUrl(): (name: SampleName) => string {
  const { origin } = useApi()
  return useCallback((name) => `${origin}${sampleCodePath(name)}.svg`, [origin])
}
