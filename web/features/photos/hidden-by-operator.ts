import type { Photo } from '@keepsnap/contract/photos.ts'

/** Whether an operator has hidden the photo, so that its owner cannot show it to guests. */
export const isHiddenByOperator = ({ operator_decision }: Pick<Photo, 'operator_decision'>): boolean =>
  operator_decision?.decision === 'hide'
