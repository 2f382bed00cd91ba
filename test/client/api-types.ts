// Made by `npm run api-types`. Not to be edited: change the document instead.
export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is the process alive?
         * @description Needs no key. Stays 200 while the service shuts down.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is the service ready?
         * @description Needs no key. 200 when the store is writable, its disk has 500 MB of free space, ffmpeg is found, the service starts tasks and is not shutting down. The service starts no task for a while after a fault of its machine, such as a full disk. The 503 says in `context.checks` which check failed: `store`, `disk`, `ffmpeg` or `worker`.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload an image (beta)
         * @description Stores one image for listings whose photos have no public URL. It is checked like a photo from the network: at most 25 MiB and 100 megapixels, JPEG, PNG, WebP, AVIF, HEIC, GIF or TIFF. The bytes decide the format. Create the task within a day, also with the beta `uploads`. An organization can store 1,000 images of 2 GiB together.
         */
        post: operations["uploadAsset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve your organization
         * @description Returns the organization of the API key, with its balance.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks
         * @description Lists your tasks, newest first. New tasks do not change the following pages.
         */
        get: operations["listTasks"];
        put?: never;
        /**
         * Create a task from a listing
         * @description Answers as soon as the task is stored durably. The task makes one video for each agent. A listing has at most 20,000 JSON values.
         */
        post: operations["createTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a task
         * @description Returns one task. Until it has ended, `Retry-After` says when to read it again.
         */
        get: operations["getTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{task_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a task (beta)
         * @description Ends a waiting task at once, and stops a running one within about a second. A cancelled task is FAILED with the `failure_message` `cancelled`, and its credits are given back. A repeated request has the same answer. The request needs no body.
         */
        post: operations["cancelTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tasks/{task_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a task (beta)
         * @description Sends the state and the progress of a task as they change, as server-sent events. The stream ends with the task, and for an ended task after one event. A comment is sent every 15 seconds. The stream of a client that does not read is closed, and every stream ends when its key is revoked or expires, or when the service shuts down: reconnect then. At most 50 streams are open with one key.
         */
        get: operations["followTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates (beta)
         * @description Lists the templates that a listing can name, with what `template_data` can set. The answer can be cached for a minute; `If-None-Match` then saves its body.
         */
        get: operations["listTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "task.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A task failed
         * @description Sent to the webhooks of the organization, which the operator of the service makes. Signed as Standard Webhooks says (https://www.standardwebhooks.com). A message can come more than once, and messages can come in any order. An answer must come within 10 seconds.
         */
        post: operations["onTaskFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "task.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A task succeeded
         * @description Sent to the webhooks of the organization, which the operator of the service makes. Signed as Standard Webhooks says (https://www.standardwebhooks.com). A message can come more than once, and messages can come in any order. An answer must come within 10 seconds.
         */
        post: operations["onTaskSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test
         * @description Sent to the webhooks of the organization, which the operator of the service makes. Signed as Standard Webhooks says (https://www.standardwebhooks.com). A message can come more than once, and messages can come in any order. An answer must come within 10 seconds.
         */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * Address
         * @description A postal address. The video leaves out what is absent.
         */
        Address: {
            /**
             * City
             * @description City or town.
             * @example Portland
             */
            city?: string | null;
            /**
             * Postal code
             * @description ZIP or postal code, as a string.
             * @example 97205
             */
            postal_code?: string | null;
            /**
             * State
             * @description State or province, usually its abbreviation.
             * @example OR
             */
            state?: string | null;
            /**
             * Street
             * @description House number and street, with the unit where there is one.
             * @example 128 Harbor Pine Lane
             */
            street: string;
        };
        /**
         * Agent
         * @description An agent of the listing. One video is made for each.
         */
        Agent: {
            /**
             * Designation
             * @description Role or title, shown under the name.
             * @example Listing Agent
             */
            designation?: string | null;
            /**
             * E-mail addresses
             * @description The card shows the first.
             */
            emails?: components["schemas"]["Email"][];
            /**
             * First name
             * @description Given name.
             * @example June
             */
            first_name: string;
            /**
             * Identifier
             * @description Chosen by you, unique within the listing: results are matched by it.
             * @example june
             */
            id: string;
            /**
             * Last name
             * @description Family name.
             * @example Takemori
             */
            last_name: string;
            /**
             * Licences
             * @description All are shown, the one of the listing’s state first.
             */
            licenses?: components["schemas"]["License"][];
            /**
             * Offices
             * @description The card shows the first.
             */
            offices?: components["schemas"]["Office"][];
            /**
             * Phones
             * @description The card shows up to two: direct or mobile, then office.
             */
            phones?: components["schemas"]["Phone"][];
            /**
             * Picture
             * Format: uri
             * @description URL of the portrait. Without one the card shows initials.
             * @example https://example.com/june.jpg
             */
            picture?: string | null;
            video_options?: components["schemas"]["VideoOptions"];
        };
        /**
         * Asset
         * @description A photo of the property. The order of the assets is the order of the slides.
         */
        Asset: {
            /**
             * Caption
             * @description Shown with the photo. A data layer caption_01 to caption_100 wins over it. The API ignores it without the beta asset-captions.
             * @example The kitchen, with a marble waterfall island
             */
            caption?: string;
            /**
             * Type
             * @description Kind of the asset.
             * @default image
             * @example image
             * @enum {unknown}
             */
            type?: "image";
            /**
             * URL
             * Format: uri
             * @description Publicly accessible http(s) URL of the photo, without user name or password. On the command line also a file: URL, or a path relative to the listing file.
             * @example https://example.com/photos/01-front.jpg
             */
            url: string;
        };
        /**
         * Data layer
         * @description A value that `template_data` can set. Every value is sent as a string.
         */
        DataLayer: {
            /**
             * @description The value without this key. Of an image, an empty string means none.
             * @example #1F5C4D
             */
            default: string;
            /** @description What it does, for people. */
            description: string;
            /** @description A possible value. */
            example: string;
            /** @description Largest number. Absent: no limit. */
            max?: number;
            /** @description Smallest number. Absent: no limit. */
            min?: number;
            /**
             * @description Key in `template_data`.
             * @example accent
             */
            name: string;
            /** @description The values of a choice. Present exactly with the type `choice`. */
            options?: string[];
            /** @enum {string} */
            type: "text" | "color" | "image" | "number" | "boolean" | "choice";
        };
        /**
         * Dropped asset
         * @description An image that is not in the videos, and the reason.
         */
        DroppedAsset: {
            /**
             * @description A code, a colon and a detail. The codes are `blocked_address`, `unreachable`, `timeout`, `too_large`, `not_an_image`, `unsupported_format`, `corrupt`, `too_small` and `duplicate`.
             * @example too_small: 200 x 150 pixels
             */
            reason: string;
            /** @description The URL exactly as the client sent it. */
            url: string;
        };
        /**
         * Email
         * @description An e-mail address. The card shows the first one.
         */
        Email: {
            /**
             * Address
             * Format: email
             * @description An e-mail address without a display name.
             * @example june.takemori@example.com
             */
            address: string;
        };
        /**
         * Error
         * @description The reason for an error.
         */
        Error: {
            /**
             * @description Stable code for programs. The message can change, the code does not.
             * @example task_not_found
             */
            code?: string | null;
            /**
             * @description Details for programs; null if there are none.
             * @example {
             *       "balance": 1,
             *       "required": 2
             *     }
             */
            context?: Record<string, never> | null;
            /**
             * @description Message for people.
             * @example no such task
             */
            message?: string | null;
        };
        /**
         * Health
         * @description Status of the service.
         */
        Health: {
            /** @enum {string} */
            status: "ok" | "ready";
        };
        /**
         * License
         * @description A real-estate licence, printed on the card; the one of the listing’s state comes first.
         */
        License: {
            /**
             * Number
             * @description Licence number.
             * @example 201250128
             */
            number: string;
            /**
             * State
             * @description The state that granted it.
             * @example OR
             */
            state: string;
        };
        /**
         * Listing
         * @description A real-estate listing: its photos, its facts, and the agents who each get a video of it.
         * @example {
         *       "id": "HP-204128",
         *       "assets": [
         *         {
         *           "url": "https://example.com/photos/01-front.jpg"
         *         },
         *         {
         *           "url": "https://example.com/photos/02-entry.jpg"
         *         },
         *         {
         *           "url": "https://example.com/photos/03-living-room.jpg"
         *         },
         *         {
         *           "url": "https://example.com/photos/04-kitchen.jpg"
         *         },
         *         {
         *           "url": "https://example.com/photos/05-garden.jpg"
         *         }
         *       ],
         *       "agents": [
         *         {
         *           "id": "june",
         *           "first_name": "June",
         *           "last_name": "Takemori"
         *         }
         *       ],
         *       "address": {
         *         "street": "128 Harbor Pine Lane",
         *         "city": "Portland",
         *         "state": "OR",
         *         "postal_code": "97205"
         *       },
         *       "bedrooms": 4,
         *       "bathrooms": 3,
         *       "half_bathrooms": 1,
         *       "interior_square_footage": 2840
         *     }
         */
        Listing: {
            address?: components["schemas"]["Address"];
            /**
             * Agents
             * @description One video is made for each. Their ids must differ.
             */
            agents: components["schemas"]["Agent"][];
            /**
             * Assets
             * @description Photos, in the order in which they are shown.
             */
            assets: components["schemas"]["Asset"][];
            /**
             * Full bathrooms
             * @description Number of full bathrooms.
             * @example 3
             */
            bathrooms?: number | null;
            /**
             * Bedrooms
             * @description Number of bedrooms; 0 is shown as “Studio”, null is not shown.
             * @example 4
             */
            bedrooms?: number | null;
            /**
             * Half bathrooms
             * @description Number of half bathrooms; each adds 0.5 to the number of baths.
             * @example 1
             */
            half_bathrooms?: number | null;
            /**
             * Identifier
             * @description Identifier of the listing, chosen by you.
             * @example HP-204128
             */
            id: string;
            /**
             * Interior square footage
             * @description Living area in square feet.
             * @example 2840
             */
            interior_square_footage?: number | null;
        };
        /**
         * Office
         * @description A brokerage office. The card shows the first one.
         */
        Office: {
            /**
             * Office address
             * @description A postal address. The video leaves out what is absent.
             */
            address?: {
                /**
                 * City
                 * @description City or town.
                 * @example Portland
                 */
                city?: string | null;
                /**
                 * Postal code
                 * @description ZIP or postal code, as a string.
                 * @example 97205
                 */
                postal_code?: string | null;
                /**
                 * State
                 * @description State or province, usually its abbreviation.
                 * @example OR
                 */
                state?: string | null;
                /**
                 * Street
                 * @description House number and street, with the unit where there is one.
                 * @example 128 Harbor Pine Lane
                 */
                street: string;
            } | null;
            /**
             * Name
             * @description Name of the brokerage or office.
             * @example Harbor & Pine Realty
             */
            name?: string | null;
            /**
             * Office phone
             * @description A phone number. One that cannot be read with its region is left out of the video; it is never an error.
             */
            phone_number?: {
                /**
                 * Number
                 * @description In any form: international, national or vanity.
                 * @example (503) 555-0128
                 * @example +44 20 7946 0958
                 * @example 1-800-FLOWERS
                 */
                number: string;
                /**
                 * Region
                 * @description Two-letter country code, used only when the number is not in international form.
                 * @default US
                 * @example US
                 * @example GB
                 */
                region?: string | null;
                /**
                 * Type
                 * @description What the number reaches. A card shows a direct or mobile number, then an office number.
                 * @example mobile
                 * @enum {unknown}
                 */
                type?: "office" | "mobile" | "direct" | null;
            } | null;
        };
        /**
         * Organization
         * @description The owner of tasks and credits.
         */
        Organization: {
            /**
             * @description Credits left. One credit is one video. 0 for an organization without metering.
             * @example 500
             */
            balance: number;
            /**
             * @description Identifier of the organization.
             * @example org_default
             */
            id: string;
            /**
             * @description Whether tasks cost credits. Present exactly with the beta `organization-details`.
             * @example true
             */
            is_metered?: boolean;
        };
        /**
         * Phone
         * @description A phone number. One that cannot be read with its region is left out of the video; it is never an error.
         */
        Phone: {
            /**
             * Number
             * @description In any form: international, national or vanity.
             * @example (503) 555-0128
             * @example +44 20 7946 0958
             * @example 1-800-FLOWERS
             */
            number: string;
            /**
             * Region
             * @description Two-letter country code, used only when the number is not in international form.
             * @default US
             * @example US
             * @example GB
             */
            region?: string | null;
            /**
             * Type
             * @description What the number reaches. A card shows a direct or mobile number, then an office number.
             * @example mobile
             * @enum {unknown}
             */
            type?: "office" | "mobile" | "direct" | null;
        };
        /**
         * Result
         * @description The video of one agent.
         */
        Result: {
            /**
             * @description Agent of the video.
             * @example june
             */
            agent_id: string;
            /**
             * @description Creation time: ISO 8601 with milliseconds and a numeric offset.
             * @example 2026-11-20T14:03:07.123+00:00
             */
            created_at: string;
            /**
             * @description The metadata of the agent’s video_options, unchanged.
             * @example {
             *       "campaign": "spring"
             *     }
             */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: uri
             * @description URL of the poster, a JPEG of the opening. Present exactly with the beta `task-details`.
             */
            poster_url?: string;
            /**
             * Format: uri
             * @description URL of the preview GIF. Present exactly when the request has `create_preview`.
             */
            preview_url?: string;
            /**
             * Format: uri
             * @description URL of the MP4. Anyone who knows the URL can fetch it without a key. Range requests are supported.
             */
            url: string;
        };
        /**
         * Scheduled task
         * @description The task that was created from a listing.
         */
        ScheduledTask: {
            /**
             * @description Identifier of the task.
             * @example 01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00
             */
            id: string;
        };
        /**
         * Task
         * @description The work of turning one listing into videos. SUCCEEDED means that the videos of all agents exist.
         */
        Task: {
            /**
             * @description Time at which the task was created. Present exactly with the beta `task-details`.
             * @example 2026-11-20T14:03:07.123+00:00
             */
            created_at?: string;
            /** @description Photos, portraits and logos that failed a check and are not in the videos. */
            dropped_assets: components["schemas"]["DroppedAsset"][];
            /**
             * @description Brief description of the error. Present exactly when the state is FAILED.
             * @example no usable assets: 5 of 5 dropped
             */
            failure_message?: string;
            /**
             * @description Identifier of the task.
             * @example 01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00
             */
            id: string;
            /**
             * @description Street, city and state of the listing, at most 255 characters of them; null if the listing has no address, or if an earlier version stored the task. Present exactly with the beta `task-details`.
             * @example 128 Harbor Pine Lane, Portland, OR
             */
            listing_address?: string | null;
            /**
             * @description Id of the listing, at most 255 characters of it; null if the stored task is damaged. Present exactly with the beta `task-details`.
             * @example HP-204128
             */
            listing_id?: string | null;
            progress?: components["schemas"]["TaskProgress"];
            /** @description One for each agent, in the order of the listing. Empty unless the state is SUCCEEDED. */
            results: components["schemas"]["Result"][];
            state: components["schemas"]["TaskState"];
            /**
             * @description What is worth knowing about the finished videos, for people: small photos, texts without a place. Empty unless the state is SUCCEEDED. Present exactly with the beta `task-details`.
             * @example [
             *       "9 of 16 photos are narrower than 960 pixels; larger ones fill the screen"
             *     ]
             */
            warnings?: string[];
        };
        /**
         * Task event
         * @description The end of a task.
         */
        TaskEvent: {
            /** @description The task at its end, as `GET /v1/tasks/{task_id}` answers it without betas. */
            data: components["schemas"]["Task"];
            /**
             * @description Time at which the task ended.
             * @example 2026-11-20T14:03:07.123+00:00
             */
            timestamp: string;
            /**
             * @description Further types can come.
             * @enum {string}
             */
            type: "task.succeeded" | "task.failed";
        };
        /**
         * Task list
         * @description A page of tasks, newest first.
         */
        TaskList: {
            data: components["schemas"]["Task"][];
            /** @description True when more tasks can follow this page, also if it has fewer tasks than `limit`. */
            has_more: boolean;
        };
        /**
         * Task progress
         * @description Present exactly with the beta `task-progress`, also after the task has ended.
         */
        TaskProgress: {
            /** @description Estimated seconds left; null if unknown. */
            eta_seconds: number | null;
            /** @description Never decreases within an attempt. */
            percent: number;
            /**
             * @description Current step.
             * @example render
             */
            stage: string | null;
        };
        /**
         * Task state
         * @description PENDING: accepted and waiting. RUNNING: in progress. SUCCEEDED and FAILED: ended. An ended task does not change, unless the operator of the service retries a failed one.
         * @enum {string}
         */
        TaskState: "PENDING" | "RUNNING" | "FAILED" | "SUCCEEDED";
        /**
         * Template
         * @description A design that a listing can name.
         */
        Template: {
            /**
             * @description `none`: its videos show no agent, office or contact.
             * @enum {string}
             */
            branding: "agent" | "none";
            /** @description What `template_data` can set. */
            data_layers: components["schemas"]["DataLayer"][];
            /** @description How its videos look, for people. */
            description: string;
            /**
             * @description The `template_id` of video options.
             * @example classic
             */
            id: string;
            /**
             * @description Name for people.
             * @example Classic
             */
            name: string;
            /**
             * @example [
             *       "1920:1080",
             *       "1080:1920"
             *     ]
             */
            ratios: string[];
            /**
             * Format: uri
             * @description URL of a JPEG with stills of all scenes; null if there is none. Anyone who knows the URL can fetch it without a key. The picture at a URL never changes.
             */
            sheet_url: string | null;
        };
        /**
         * Template list
         * @description All templates, by id.
         */
        TemplateList: {
            data: components["schemas"]["Template"][];
            /** @description Always false. */
            has_more: boolean;
        };
        /**
         * Test event
         * @description A test by the operator of the service.
         */
        TestEvent: {
            data: {
                /**
                 * @description Identifier of the webhook.
                 * @example wh_0c1d2e3f40516273
                 */
                webhook_id: string;
            };
            /**
             * @description Time of the test.
             * @example 2026-11-20T14:03:07.123+00:00
             */
            timestamp: string;
            /** @enum {string} */
            type: "webhook.test";
        };
        /**
         * Upload
         * @description An image that listings of the same organization can use.
         */
        Upload: {
            /**
             * @description From then on no new task can use it. It is removed when all tasks that use it have ended.
             * @example 2026-11-20T14:03:07.123+00:00
             */
            expires_at: string;
            /** @description Of the upright image, in pixels. */
            height: number;
            /**
             * @description Identifier of the upload.
             * @example upload_5f3759df8b1c4a7e9d2c6b8a0e4f1d37
             */
            id: string;
            /** @description Size of the body. */
            size_bytes: number;
            /**
             * Format: uri
             * @description For the `url` of an asset, the `picture` of an agent, or an image in `template_data`, in requests with the beta `uploads`. There is nothing to download at it.
             * @example https://videos.example.com/v1/assets/upload_5f3759df8b1c4a7e9d2c6b8a0e4f1d37
             */
            url: string;
            /** @description Of the upright image, in pixels. */
            width: number;
        };
        /**
         * Validation error
         * @description Every violation in the request.
         */
        ValidationError: {
            detail: components["schemas"]["Violation"][];
        };
        /**
         * Video options
         * @description Look and feel of this agent’s video.
         */
        VideoOptions: {
            /**
             * Create a preview
             * @description Whether a short GIF is made along with the video.
             * @default false
             * @example true
             */
            create_preview?: boolean;
            /**
             * Metadata
             * @description Your own key-value pairs, returned unchanged in the result. Up to 50 keys of at most 40 characters without square brackets, values of at most 500 characters. Store nothing sensitive here.
             * @example {
             *       "campaign": "spring",
             *       "crm_id": "HP-204128"
             *     }
             */
            metadata?: {
                [key: string]: string;
            };
            /**
             * Ratio
             * @description Resolution of the video: landscape or portrait.
             * @default 1920:1080
             * @example 1080:1920
             * @enum {unknown}
             */
            ratio?: "1920:1080" | "1080:1920";
            /**
             * Template data
             * @description Values for the data layers of the template, by name. They take effect only when template_id is given.
             * @example {
             *       "headline": "Just listed",
             *       "caption_02": "Sage island, marble counter"
             *     }
             */
            template_data?: {
                /**
                 * Logo
                 * Format: uri
                 * @description URL of the logo.
                 * @example https://example.com/logo.png
                 */
                logo?: string;
            } & {
                [key: string]: string;
            };
            /**
             * Template
             * @description Identifier of the template to use.
             * @example classic
             */
            template_id?: string | null;
        };
        /**
         * Violation
         * @description One broken rule, in the vocabulary of pydantic 2.
         */
        Violation: {
            /**
             * @description Details for programs.
             * @example {
             *       "expected": "'1920:1080' or '1080:1920'"
             *     }
             */
            ctx?: Record<string, never>;
            /**
             * @description The invalid value. Absent when the answer would become too large.
             * @example 16:9
             */
            input?: unknown;
            /**
             * @description Location: `body`, `query` or `path`, then keys and indexes.
             * @example [
             *       "body",
             *       "agents",
             *       0,
             *       "video_options",
             *       "ratio"
             *     ]
             */
            loc: (string | number)[];
            /**
             * @description Message for people.
             * @example Input should be '1920:1080' or '1080:1920'
             */
            msg: string;
            /**
             * @description Stable code for programs.
             * @example literal_error
             */
            type: string;
        };
    };
    responses: {
        /** @description The request does not name the beta in `service-beta`. */
        BetaOff: {
            headers: {
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request does not name the beta in `service-beta`; or the task does not exist, or belongs to another organization. */
        BetaTaskNotFound: {
            headers: {
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body or the Idempotency-Key is not usable. */
        Refused400: {
            headers: {
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Every request needs an API key, and this one has none, or one that is unknown, revoked or expired. */
        Refused401: {
            headers: {
                /** @description Always `Bearer`. */
                "WWW-Authenticate"?: string;
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The balance is below the price of the task. */
        Refused402: {
            headers: {
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key is valid but has no permission for this; or, without keys, the request does not come from the machine of the service. */
        Refused403: {
            headers: {
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path does not support this method. */
        Refused405: {
            headers: {
                /** @description The methods of the path. */
                Allow?: string;
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The task has already ended, and was not cancelled. */
        Refused409: {
            headers: {
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is invalid. The answer lists every violation. A list that is too long ends with the number of those it leaves out. */
        Refused422: {
            headers: {
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description The key, or the address of the client, sends too many requests. Try again later. */
        Refused429: {
            headers: {
                /** @description Seconds to wait before the next request. */
                "Retry-After"?: number;
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A bug. The log of the service has the details under the request id. */
        Refused500: {
            headers: {
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service is shutting down, it or the organization has too many waiting tasks, it reads too many bodies, it cannot store anything, or it could not run tasks for a minute because of a fault of its machine. Try again later. */
        Refused503: {
            headers: {
                /** @description Seconds to wait before the next request. */
                "Retry-After"?: number;
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The task does not exist, or it belongs to another organization. */
        TaskNotFound: {
            headers: {
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A `template_id` is unknown. */
        TemplateNotFound: {
            headers: {
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key cannot create anything; the organization has too many uploads; or, without keys, the request does not come from the machine of the service. */
        UploadForbidden: {
            headers: {
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not one image that the service can use. The codes of `reason` are those of dropped assets. */
        UploadRefused: {
            headers: {
                /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Makes retries safe: for 24 hours the same key with the same body returns the same task and creates nothing.
         * @example listing-HP-204128-2026-11-20
         */
        IdempotencyKey: string;
        /** @description Experimental features to turn on, separated by commas. Unknown names are ignored. Known: `task-progress`: adds `progress` to a task: percent, stage and the seconds left; `asset-captions`: shows the `caption` of each asset in the videos; without it the field is ignored; `task-details`: adds `listing_id`, `listing_address`, `created_at` and `warnings` to a task, and `poster_url` to each result; `organization-details`: adds `is_metered` to the organization: whether tasks cost credits; `task-events`: adds `GET /v1/tasks/{task_id}/events`; `task-cancel`: adds `POST /v1/tasks/{task_id}/cancel`; `templates`: adds `GET /v1/templates`; `uploads`: adds `POST /v1/assets`, and listings can name its URLs. */
        ServiceBeta: string[];
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes, it is. */
            200: {
                headers: {
                    /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            403: components["responses"]["Refused403"];
            405: components["responses"]["Refused405"];
            500: components["responses"]["Refused500"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes, it is. */
            200: {
                headers: {
                    /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            403: components["responses"]["Refused403"];
            405: components["responses"]["Refused405"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    uploadAsset: {
        parameters: {
            query?: never;
            header: {
                /** @description Must contain `uploads`. Without it this path is unknown: 404 `not_found`. */
                "service-beta": string[];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
                "image/*": string;
            };
        };
        responses: {
            /** @description The image is stored. */
            201: {
                headers: {
                    /** @description The betas that are on. */
                    "service-beta"?: string;
                    /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
            400: components["responses"]["UploadRefused"];
            401: components["responses"]["Refused401"];
            403: components["responses"]["UploadForbidden"];
            404: components["responses"]["BetaOff"];
            405: components["responses"]["Refused405"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: {
                /** @description Experimental features to turn on, separated by commas. Unknown names are ignored. Known: `task-progress`: adds `progress` to a task: percent, stage and the seconds left; `asset-captions`: shows the `caption` of each asset in the videos; without it the field is ignored; `task-details`: adds `listing_id`, `listing_address`, `created_at` and `warnings` to a task, and `poster_url` to each result; `organization-details`: adds `is_metered` to the organization: whether tasks cost credits; `task-events`: adds `GET /v1/tasks/{task_id}/events`; `task-cancel`: adds `POST /v1/tasks/{task_id}/cancel`; `templates`: adds `GET /v1/templates`; `uploads`: adds `POST /v1/assets`, and listings can name its URLs. */
                "service-beta"?: components["parameters"]["ServiceBeta"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization. */
            200: {
                headers: {
                    /** @description The betas that are on. Absent when there are none. */
                    "service-beta"?: string;
                    /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            405: components["responses"]["Refused405"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listTasks: {
        parameters: {
            query?: {
                /** @description Maximum number of tasks in the answer. A page of large tasks has fewer: see `has_more`. */
                limit?: number;
                /** @description Id of a task. The page starts with the task after it. */
                starting_after?: string;
                /** @description Only tasks in this state. */
                state?: components["schemas"]["TaskState"];
                /** @description The same as `state`. If both are given, `state` counts. */
                status?: components["schemas"]["TaskState"];
            };
            header?: {
                /** @description Experimental features to turn on, separated by commas. Unknown names are ignored. Known: `task-progress`: adds `progress` to a task: percent, stage and the seconds left; `asset-captions`: shows the `caption` of each asset in the videos; without it the field is ignored; `task-details`: adds `listing_id`, `listing_address`, `created_at` and `warnings` to a task, and `poster_url` to each result; `organization-details`: adds `is_metered` to the organization: whether tasks cost credits; `task-events`: adds `GET /v1/tasks/{task_id}/events`; `task-cancel`: adds `POST /v1/tasks/{task_id}/cancel`; `templates`: adds `GET /v1/templates`; `uploads`: adds `POST /v1/assets`, and listings can name its URLs. */
                "service-beta"?: components["parameters"]["ServiceBeta"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tasks. */
            200: {
                headers: {
                    /** @description The betas that are on. Absent when there are none. */
                    "service-beta"?: string;
                    /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskList"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            405: components["responses"]["Refused405"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    createTask: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes retries safe: for 24 hours the same key with the same body returns the same task and creates nothing.
                 * @example listing-HP-204128-2026-11-20
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Experimental features to turn on, separated by commas. Unknown names are ignored. Known: `task-progress`: adds `progress` to a task: percent, stage and the seconds left; `asset-captions`: shows the `caption` of each asset in the videos; without it the field is ignored; `task-details`: adds `listing_id`, `listing_address`, `created_at` and `warnings` to a task, and `poster_url` to each result; `organization-details`: adds `is_metered` to the organization: whether tasks cost credits; `task-events`: adds `GET /v1/tasks/{task_id}/events`; `task-cancel`: adds `POST /v1/tasks/{task_id}/cancel`; `templates`: adds `GET /v1/templates`; `uploads`: adds `POST /v1/assets`, and listings can name its URLs. */
                "service-beta"?: components["parameters"]["ServiceBeta"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Listing"];
            };
        };
        responses: {
            /** @description The task was created, now or by an earlier request with the same Idempotency-Key. */
            202: {
                headers: {
                    /** @description `true` when an earlier request with this Idempotency-Key created the task. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Path of the task. */
                    Location?: string;
                    /** @description The betas that are on. Absent when there are none. */
                    "service-beta"?: string;
                    /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledTask"];
                };
            };
            400: components["responses"]["Refused400"];
            401: components["responses"]["Refused401"];
            402: components["responses"]["Refused402"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["TemplateNotFound"];
            405: components["responses"]["Refused405"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    getTask: {
        parameters: {
            query?: never;
            header?: {
                /** @description Experimental features to turn on, separated by commas. Unknown names are ignored. Known: `task-progress`: adds `progress` to a task: percent, stage and the seconds left; `asset-captions`: shows the `caption` of each asset in the videos; without it the field is ignored; `task-details`: adds `listing_id`, `listing_address`, `created_at` and `warnings` to a task, and `poster_url` to each result; `organization-details`: adds `is_metered` to the organization: whether tasks cost credits; `task-events`: adds `GET /v1/tasks/{task_id}/events`; `task-cancel`: adds `POST /v1/tasks/{task_id}/cancel`; `templates`: adds `GET /v1/templates`; `uploads`: adds `POST /v1/assets`, and listings can name its URLs. */
                "service-beta"?: components["parameters"]["ServiceBeta"];
            };
            path: {
                /**
                 * @description Identifier of the task.
                 * @example 01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00
                 */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task. */
            200: {
                headers: {
                    /** @description Seconds to wait before the next request. */
                    "Retry-After"?: number;
                    /** @description The betas that are on. Absent when there are none. */
                    "service-beta"?: string;
                    /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["TaskNotFound"];
            405: components["responses"]["Refused405"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    cancelTask: {
        parameters: {
            query?: never;
            header: {
                /** @description Must contain `task-cancel`. Without it this path is unknown: 404 `not_found`. */
                "service-beta": string[];
            };
            path: {
                /**
                 * @description Identifier of the task.
                 * @example 01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00
                 */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The task, which is cancelled. */
            200: {
                headers: {
                    /** @description The betas that are on. */
                    "service-beta"?: string;
                    /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            /** @description The task, which still runs. Read it again to see that it has stopped. */
            202: {
                headers: {
                    /** @description Seconds to wait before the next request. */
                    "Retry-After"?: number;
                    /** @description The betas that are on. */
                    "service-beta"?: string;
                    /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Task"];
                };
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["BetaTaskNotFound"];
            405: components["responses"]["Refused405"];
            409: components["responses"]["Refused409"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    followTask: {
        parameters: {
            query?: never;
            header: {
                /** @description The `id` of the last event that the client has. The stream then starts with what has changed since; with another id, with the whole task. */
                "Last-Event-ID"?: string;
                /** @description Must contain `task-events`. Without it this path is unknown: 404 `not_found`. */
                "service-beta": string[];
            };
            path: {
                /**
                 * @description Identifier of the task.
                 * @example 01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00
                 */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. An event `state` has a Task in its `data`: first, and at each change of the state. An event `progress` has a TaskProgress. The last event is `end`, with the ended Task. Each has an `id`. */
            200: {
                headers: {
                    /** @description The betas that are on. */
                    "service-beta"?: string;
                    /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The task has ended, and `Last-Event-ID` is its last event. A browser then does not reconnect. */
            204: {
                headers: {
                    /** @description The betas that are on. */
                    "service-beta"?: string;
                    /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["BetaTaskNotFound"];
            405: components["responses"]["Refused405"];
            422: components["responses"]["Refused422"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    listTemplates: {
        parameters: {
            query?: never;
            header: {
                /** @description The `ETag` of an earlier answer. */
                "If-None-Match"?: string;
                /** @description Must contain `templates`. Without it this path is unknown: 404 `not_found`. */
                "service-beta": string[];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The templates. */
            200: {
                headers: {
                    /** @description How long it can be cached. */
                    "Cache-Control"?: string;
                    /** @description Changes with the list. */
                    ETag?: string;
                    /** @description The betas that are on. */
                    "service-beta"?: string;
                    /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
            /** @description The list is the one that `If-None-Match` names. */
            304: {
                headers: {
                    /** @description The betas that are on. */
                    "service-beta"?: string;
                    /** @description The id of the request in the log of the service. It is the client’s own id if that is valid. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Refused401"];
            403: components["responses"]["Refused403"];
            404: components["responses"]["BetaOff"];
            405: components["responses"]["Refused405"];
            429: components["responses"]["Refused429"];
            500: components["responses"]["Refused500"];
            503: components["responses"]["Refused503"];
        };
    };
    onTaskFailed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the message. Every repetition of it has the same id.
                 * @example msg_01934a5e7c3b_0
                 */
                "webhook-id": string;
                /**
                 * @description Signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over id, timestamp and body, joined by full stops. The key is what follows `whsec_` in the secret, decoded from base64.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": string;
                /**
                 * @description Time of this attempt, in seconds since 1970.
                 * @example 1795183387
                 */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskEvent"];
            };
        };
        responses: {
            /** @description The message is received. It is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone. The webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other answer, a redirect too, and no answer: the message is sent again, after 5 seconds at first and every 12 hours at last, for 3 days. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTaskSucceeded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the message. Every repetition of it has the same id.
                 * @example msg_01934a5e7c3b_0
                 */
                "webhook-id": string;
                /**
                 * @description Signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over id, timestamp and body, joined by full stops. The key is what follows `whsec_` in the secret, decoded from base64.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": string;
                /**
                 * @description Time of this attempt, in seconds since 1970.
                 * @example 1795183387
                 */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskEvent"];
            };
        };
        responses: {
            /** @description The message is received. It is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone. The webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other answer, a redirect too, and no answer: the message is sent again, after 5 seconds at first and every 12 hours at last, for 3 days. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifies the message. Every repetition of it has the same id.
                 * @example msg_01934a5e7c3b_0
                 */
                "webhook-id": string;
                /**
                 * @description Signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over id, timestamp and body, joined by full stops. The key is what follows `whsec_` in the secret, decoded from base64.
                 * @example v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
                 */
                "webhook-signature": string;
                /**
                 * @description Time of this attempt, in seconds since 1970.
                 * @example 1795183387
                 */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestEvent"];
            };
        };
        responses: {
            /** @description The message is received. It is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone. The webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other answer, a redirect too, and no answer: the message is sent again, after 5 seconds at first and every 12 hours at last, for 3 days. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
