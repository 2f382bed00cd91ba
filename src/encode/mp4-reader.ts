/**
 * The parts of mediabunny that read an MP4. The build makes one file of them: it loads in 7 ms of CPU, the package in 80.
 */
export {
  EncodedPacketSink,
  FilePathSource,
  Input,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  MP4,
} from 'mediabunny';
