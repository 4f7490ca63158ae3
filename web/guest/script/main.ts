import { findElement } from './dom.ts'
import { enhance } from './enhance.ts'

const main = findElement(document, 'main')
if (main) enhance(main)
