/** The command that uploads a photo with a key. */
export const uploadCommand = (origin: string, key: string): string =>
  `curl -H "X-API-Key: ${key}" \\\n  -F "file=@photo.jpg" \\\n  ${origin}/api/upload`
