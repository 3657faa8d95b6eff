/** One answer for a channel that does not exist and for one that belongs to another person. */
import { DomainError } from '../../errors.ts'

export const noSuchChannel = () => new DomainError('not_found', 'You do not follow this channel.')
