/** Splits an ADTS file (AAC with a header before each packet) into bare packets. Pure. ISO/IEC 14496-3, 1.A.2.2. */

export interface AdtsAudio {
  /** AudioSpecificConfig, as in `esds`. */
  readonly config: Buffer;
  /** Views of the input. */
  readonly packets: readonly Buffer[];
}

/**
 * @throws Error when the bytes are not ADTS or end in the middle of a packet.
 */
export function readAdtsPackets(bytes: Buffer): AdtsAudio {
  const packets: Buffer[] = [];
  let config: Buffer | undefined;
  for (let offset = 0; offset < bytes.length; ) {
    if (bytes.length - offset < 7 || (bytes.readUInt16BE(offset) & 0xfff6) !== 0xfff0) {
      throw new Error(`no ADTS header at byte ${offset}`);
    }
    const hasChecksum = (bytes[offset + 1]! & 1) === 0;
    const headerBytes = hasChecksum ? 9 : 7;
    const packetBytes = ((bytes.readUIntBE(offset + 3, 3) >> 5) & 0x1fff) >>> 0;
    if (packetBytes < headerBytes || offset + packetBytes > bytes.length) {
      throw new Error(`ADTS packet at byte ${offset} is cut short`);
    }
    config ??= toAudioSpecificConfig(bytes.subarray(offset, offset + 7));
    packets.push(bytes.subarray(offset + headerBytes, offset + packetBytes));
    offset += packetBytes;
  }
  if (config === undefined) throw new Error('no sound');
  return { config, packets };
}

/** Object type (5 bits), sampling frequency index (4), channel configuration (4), three flags that are 0. */
function toAudioSpecificConfig(header: Buffer): Buffer {
  const objectType = (header[2]! >> 6) + 1;
  const frequencyIndex = (header[2]! >> 2) & 0x0f;
  const channels = ((header[2]! & 1) << 2) | (header[3]! >> 6);
  const config = Buffer.alloc(2);
  config.writeUInt16BE((objectType << 11) | (frequencyIndex << 7) | (channels << 3));
  return config;
}
