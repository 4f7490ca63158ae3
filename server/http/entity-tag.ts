/** Whether an If-None-Match or If-Range header lists the entity tag. */
export const matchesTag = (header: string | undefined, entityTag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === entityTag))
