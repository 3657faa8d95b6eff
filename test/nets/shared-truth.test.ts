/**
 * Names the source of truth of every statement that writes rows of several people, or rows that belong to no person. What decides for
 * several people never comes from one person's row or words, so a new statement is added here by someone who can say where its truth
 * comes from.
 */
import { expect, it } from 'vitest'
import { type Node, nodesOf, type Source, sourcesIn } from './source.ts'

const truths = {
  'what the site answered at the very address that the rows have': [
    'search/everyone/captions.ts takeDueCaptions',
    'videos/everyone/facts.ts recordClosedVideo',
    'videos/everyone/facts.ts storePart',
    'videos/everyone/look-plans.ts takeLooks',
    'videos/everyone/due-pictures.ts recordStored',
    'videos/everyone/due-pictures.ts postponePictures',
    'videos/everyone/due-pictures.ts takePictures',
    'watching/segments.ts segmentsStored',
  ],
  'what a visit to the feed, or to the list that the feed leads to, found': [
    'channels/everyone/feeds.ts moveFeed',
    'channels/everyone/feeds.ts recordFailedFetches',
    'channels/everyone/feeds.ts recordUnchanged',
    'channels/everyone/listings.ts describeChannel',
    'videos/everyone/look-plans.ts planMissing',
    'push/everyone/push-subscriptions.ts addSubscriptions',
    'push/everyone/push-subscriptions.ts recordNews',
    'channels/everyone/listings.ts planListing',
    'channels/everyone/listings.ts planListingForPicture',
    'channels/everyone/listings.ts postponeListing',
    'channels/everyone/listings.ts takeListing',
    'saving/channel-writes.ts addUnfollowed',
    'saving/channel-writes.ts fillChannels',
    'saving/channel-writes.ts followChannels',
    'saving/channel-writes.ts recordListings',
    'saving/channel-writes.ts recordNoRoom',
    'saving/channel-writes.ts updateFollowed',
    'saving/new-video-notifications.ts newVideoNotifications',
    'saving/save-statement.ts saveStatement',
    'queue/known-feeds.ts recordFeeds',
    'queue/known-feeds.ts recordListed',
  ],
  'what a host answered at its root, or, with a person, what that person alone waits for': [
    'queue/host-checks.ts requestHostCheck',
    'queue/host-pauses.ts forgetRefusals',
    'queue/host-pauses.ts pauseHost',
  ],
  'what a hub that we subscribed to answered or signed': ['push/push-callbacks.ts pushCallbacksIn'],
  'our own clock, queue, disk and tools, or the operator': [
    'bin/everyone/bin.ts forgetExpiredChannels',
    'search/everyone/captions.ts queueCaptions',
    'search/everyone/remaking.ts remakeTranscripts',
    'search/everyone/remaking.ts remakeVideos',
    'channels/everyone/feed-plans.ts forgetPlans',
    'channels/everyone/feed-plans.ts planFetches',
    'channels/everyone/feeds.ts forgetUnfollowedFeeds',
    'downloads/everyone/holds.ts forgetOldHolds',
    'downloads/everyone/holds.ts recordToolVersion',
    'media/everyone/media.ts recordGuarded',
    'notifications/everyone/due.ts forgetOldMessages',
    'notifications/everyone/notices.ts changeNotices',
    'notifications/everyone/notices.ts notifyAdministrators',
    'media/everyone/media.ts recordMediaService',
    'service/everyone/operations.ts beatWorker',
    'service/everyone/operations.ts endReport',
    'service/everyone/operations.ts forgetLostImports',
    'service/everyone/operations.ts forgetOldFailures',
    'service/everyone/operations.ts forgetWorkers',
    'service/everyone/operations.ts unlockDeadWorkers',
    'service/everyone/correct-times.ts correctTimes',
    'service/everyone/correct-times.ts moveBack',
    'account/everyone/old-secrets.ts forgetOldSecrets',
    'videos/everyone/due-pictures.ts continuePass',
    'videos/everyone/due-pictures.ts deleteUnused',
    'push/everyone/push-subscriptions.ts forgetPushes',
    'push/everyone/push-subscriptions.ts queueRequests',
    'push/everyone/push-subscriptions.ts takeRequest',
    'service/everyone/tool-outcomes.ts forgetToolOutcomes',
    'queue/host-pauses.ts forgetOldPauses',
    'queue/host-pauses.ts liftPauses',
    'watching/segments.ts forgetOldSegments',
  ],
  'one person, whose own rows are the only ones that are written': [
    'videos/everyone/look-plans.ts planLooks',
    'downloads/everyone/shared-files.ts recordWaiting',
    'service/everyone/tool-outcomes.ts recordToolOutcome',
    'queue/host-pauses.ts liftOwnPause',
    'queue/host-checks.ts beginProbe',
    'queue/host-checks.ts endProbe',
    'queue/places.ts moveFirst',
    'queue/picture-plans.ts planPictures',
    'queue/picture-plans.ts putFirst',
  ],
}

/** The code that works across people: of every room, of the queue, and the statement that saves feeds. */
const rooms =
  /^src\/db\/(\w+\/everyone|queue)\/|^src\/db\/saving\/(save-statement|channel-writes|new-video-notifications)\.ts$|^src\/db\/(push\/push-callbacks|watching\/segments)\.ts$/

/** A line of a template that begins with a write, also as a part of `with`. */
const writes = /(?:`|^|\()\s*(?:insert into|delete from|update)\s+[\w$]/m

const writersIn = (source: Source): string[] =>
  declarationsIn(source).flatMap(({ name, start, end }) =>
    writes.test(source.text.slice(start, end)) ? [`${source.path.replace('src/db/', '')} ${name}`] : [],
  )

function declarationsIn(source: Source): { name: string; start: number; end: number }[] {
  const [program] = nodesOf(source)
  return ((program?.body ?? []) as Node[]).flatMap(statement => {
    const declared = (statement.declaration ?? statement) as Node
    const named = (declared.declarations as Node[] | undefined)?.[0] ?? declared
    const name = (named.id as { name?: string } | undefined)?.name
    return name === undefined ? [] : [{ name, start: statement.start, end: statement.end }]
  })
}

it('every statement that writes for several people names the source of its truth', async () => {
  const sources = (await sourcesIn('src')).filter(({ path }) => rooms.test(path))
  expect(sources.flatMap(writersIn).toSorted()).toEqual(Object.values(truths).flat().toSorted())
})
