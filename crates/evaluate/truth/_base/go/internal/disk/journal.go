// Package disk keeps what memory forgets.
package disk

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// Journal appends records to a file.
type Journal struct {
	file   *os.File
	writer *bufio.Writer
}

// Open opens or creates the journal at path.
func Open(path string) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	return &Journal{file: file, writer: bufio.NewWriter(file)}, nil
}

// Append writes one record with its length and checksum.
func (j *Journal) Append(record []byte) error {
	var head [8]byte
	binary.LittleEndian.PutUint32(head[:4], uint32(len(record)))
	binary.LittleEndian.PutUint32(head[4:], crc32.ChecksumIEEE(record))
	if _, err := j.writer.Write(head[:]); err != nil {
		return err
	}
	_, err := j.writer.Write(record)
	return err
}

// Replay calls found for each whole record from the start.
func (j *Journal) Replay(found func([]byte) error) error {
	if _, err := j.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	reader := bufio.NewReader(j.file)
	for {
		var head [8]byte
		if _, err := io.ReadFull(reader, head[:]); err != nil {
			return nil
		}
		record := make([]byte, binary.LittleEndian.Uint32(head[:4]))
		if _, err := io.ReadFull(reader, record); err != nil {
			return nil
		}
		if crc32.ChecksumIEEE(record) != binary.LittleEndian.Uint32(head[4:]) {
			return fmt.Errorf("journal is damaged")
		}
		if err := found(record); err != nil {
			return err
		}
	}
}
